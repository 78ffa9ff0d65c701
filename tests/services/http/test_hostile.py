"""Hostile requests: never a 5xx, always a problem document, nothing leaked."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from shared.http.problems import KINDS, MEDIA_TYPE

JSON = "application/json"
FIT = b'{"name": "Ana", "password": "correct horse battery"}'


def refused(answer: TestResponse) -> dict[str, object]:
    document: dict[str, object] = answer.get_json()
    assert 400 <= answer.status_code < 500, document
    assert answer.content_type == MEDIA_TYPE
    assert document["status"] == answer.status_code == KINDS[str(document["code"])].status
    assert document["type"] == f"/problems/{document['code']}"
    assert document["request_id"] == answer.headers["X-Request-Id"]
    assert "Traceback" not in answer.text
    return document


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"x" * 10_000_000, 413),
        (b'{"name": ' * 5_000, 400),
        (b"[" * 10_000 + b"]" * 10_000, 400),
        (b"\xff\xfe", 400),
        (b"\0", 400),
        (b"", 400),
        (b"null", 422),
        (b"[]", 422),
        (b'"Ana"', 422),
        (b'{"name": "Ana", "password": 2.5}', 422),
        (b'{"name": "Ana", "password": 1e400}', 422),
        (b'{"name": "Ana", "password": -0}', 422),
        (b'{"name": "Ana", "password": true}', 422),
        (b'{"name": "Ana", "password": null}', 422),
        (b'{"name": "Ana", "password": 1' + b"0" * 400 + b"}", 422),
        (b'{"name": ["Ana"], "password": "correct horse battery"}', 422),
        (b'{"name": "Ana", "name": "Bob", "password": "correct horse battery"}', 422),
        (b'{"name": "Ana", "password": "correct horse battery", "admin": true}', 422),
        (b'{"name": "Ana", "password": "correct horse\\u0000battery"}', 422),
        (b'{"name": "Ana\\r\\nSet-Cookie: a=b", "password": "correct horse battery"}', 422),
        (b'{"name": "Robert\'); drop table es.events;--", "password": "12345678"}', 422),
        (b'{"__proto__": {}, "name": "Ana", "password": "correct horse battery"}', 422),
    ],
)
def test_a_hostile_body_is_refused(commands: FlaskClient, raw: bytes, status: int) -> None:
    answer = commands.post("/v1/accounts", data=raw, content_type=JSON)
    document = refused(answer)
    assert answer.status_code == status
    if status == 422:
        assert document["errors"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/problem+json"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
def test_a_body_that_is_not_announced_as_plain_json_is_refused(
    commands: FlaskClient, headers: Mapping[str, str]
) -> None:
    answer = commands.post("/v1/accounts", data=FIT, headers=dict(headers))
    document = refused(answer)
    assert document["code"] == "unsupported_media_type"
    assert str(document["detail"]).startswith("A body is needed, if only `{}`")


def test_a_body_of_unannounced_length_is_read_no_further_than_the_limit(
    commands: FlaskClient,
) -> None:
    answer = commands.post(
        "/v1/accounts",
        input_stream=io.BytesIO(b'{"name": "' + b"x" * 10_000_000),
        content_type=JSON,
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )
    assert refused(answer)["code"] == "body_too_large"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_a_large_body_is_refused_wherever_it_is_sent(commands: FlaskClient, method: str) -> None:
    answer = commands.open("/v1/nothing", method=method, data=b"x" * 10_000_000)
    assert refused(answer)["code"] == "body_too_large"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/accounts/",
        "//v1/accounts",
        "/v1/%00",
        "/v1/%ff",
        "/v1/../etc/passwd",
        "/v1/me/tokens/%0d%0aSet-Cookie:a=b",
        "/v1/" + "x" * 5000,
        "/docs/../app.py",
        "/docs/%2e%2e%2fapp.py",
        "/problems/%00",
    ],
)
def test_a_hostile_path_is_not_found(
    commands: FlaskClient, queries: FlaskClient, path: str
) -> None:
    for client in (commands, queries):
        assert refused(client.get(path))["code"] in {
            "not_found",
            "method_not_allowed",
            "misdirected",
        }


@pytest.mark.parametrize(
    "given", ["a\r\nSet-Cookie: a=b", "x" * 65, "", "a b", "ü", "<script>", "1;2"]
)
def test_a_request_id_that_is_not_sane_is_replaced(commands: FlaskClient, given: str) -> None:
    answer = commands.get("/healthz", environ_overrides={"HTTP_X_REQUEST_ID": given})
    assert answer.headers["X-Request-Id"] not in {given, ""}
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "authorization",
    ["Bearer", "Bearer ", "bearer pr_ü", "Bearer pr_" + "x" * 44, "Bearer " + "x" * 10_000, "\0"],
)
def test_a_hostile_authorization_is_no_token(queries: FlaskClient, authorization: str) -> None:
    answer = queries.get("/v1/me", environ_overrides={"HTTP_AUTHORIZATION": authorization})
    assert refused(answer)["code"] == "unauthorized"
