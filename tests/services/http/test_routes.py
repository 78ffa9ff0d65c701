"""The route table, and the methods that both services tell from it."""

from __future__ import annotations

from collections import defaultdict

import pytest
from flask.testing import FlaskClient

from shared.http.routes import API, PLUMBING

READS = {"GET", "HEAD"}


def operations(client: FlaskClient) -> dict[str, set[str]]:
    (api,) = client.application.extensions["flask-smorest"]["apis"].values()
    paths = api["ext_obj"].spec.to_dict()["paths"]
    return {
        path: {method.upper() for method in item if method != "parameters"}
        for path, item in paths.items()
    }


def test_the_table_equals_the_specification_and_each_method_is_with_its_service(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    specified: defaultdict[str, set[str]] = defaultdict(set)
    for client, reads in ((commands, False), (queries, True)):
        for path, methods in operations(client).items():
            assert all((method in READS) is reads for method in methods), path
            specified[path] |= methods
    assert specified == {path: set(methods) for path, methods in API.items()}


def test_the_plumbing_is_all_there(queries: FlaskClient) -> None:
    rules = {
        rule.rule.replace("<", "{").replace(">", "}")
        for rule in queries.application.url_map.iter_rules()
    }
    assert rules == set(PLUMBING) | set(operations(queries))


def test_a_wrong_method_is_refused_with_the_whole_allow_of_both_services(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    for client in (commands, queries):
        answer = client.put("/v1/me")
        assert (answer.status_code, answer.get_json()["code"]) == (405, "method_not_allowed")
        assert answer.headers["Allow"] == "GET, PATCH, DELETE, HEAD, OPTIONS"


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PROPFIND", "get"])
def test_methods_of_other_protocols_are_refused(commands: FlaskClient, method: str) -> None:
    assert commands.open("/v1/tokens", method=method).headers["Allow"] == "POST, OPTIONS"


def test_a_method_sent_to_the_wrong_service_is_misdirected(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    assert commands.get("/v1/me").status_code == 421
    assert queries.post("/v1/tokens", json={}).status_code == 421


def test_a_preflight_is_answered_by_either_service_for_any_origin_without_a_token(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    asked = {
        "Origin": "https://elsewhere.example",
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization, idempotency-key",
    }
    for client in (commands, queries):
        answer = client.options("/v1/me", headers=asked)
        assert answer.status_code == 204
        assert answer.headers["Allow"] == "GET, PATCH, DELETE, HEAD, OPTIONS"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Access-Control-Allow-Methods"] == answer.headers["Allow"]
        assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]
        assert "Idempotency-Key" in answer.headers["Access-Control-Allow-Headers"]
        assert "Access-Control-Allow-Credentials" not in answer.headers
    missed = commands.options("/v1/nothing")
    assert (missed.status_code, missed.get_json()["detail"]) == (404, "There is no such address.")


def test_an_answer_without_content_names_no_type_of_it(
    commands: FlaskClient, ana: dict[str, str]
) -> None:
    for answer in (commands.options("/v1/me"), commands.delete("/v1/me", headers=ana)):
        assert (answer.status_code, answer.data) == (204, b"")
        assert "Content-Type" not in answer.headers


def test_scripts_of_any_origin_may_read_answers_and_refusals_with_their_headers(
    queries: FlaskClient,
) -> None:
    for path in ("/v1/me", "/healthz", "/v1/nothing"):
        answer = queries.get(path)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        exposed = answer.headers["Access-Control-Expose-Headers"]
        assert {"ETag", "Location", "Retry-After", "Idempotent-Replayed", "X-Request-Id"} <= set(
            exposed.split(", ")
        )
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
