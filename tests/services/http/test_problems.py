"""Every refusal is one problem document, also those of the framework and those nobody foresaw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from shared.config import Settings
from shared.engine.errors import NotAwaited, RuleViolation, ShipFull
from shared.http.app import base_app
from shared.http.problem_page import PAGE, page
from shared.http.problems import KINDS, MEDIA_TYPE, Problem, pointer
from shared.http.refusals import ALL_KINDS, kinds_of
from shared.table.errors import NotTheCreator, TableRefusal
from tests.services.conftest import closing


@pytest.fixture
def failing(settings: Settings) -> Iterator[FlaskClient]:
    """A service with views that fail in ways of their own."""
    app, _ = base_app("queries", settings)

    @app.get("/fails")
    def fails() -> str:
        raise RuntimeError("the secret is swordfish")

    @app.get("/refuses")
    def refuses() -> str:
        raise Problem("stale", "The game is at 7.", game_version=7)

    @app.get("/breaks/<rule>")
    def breaks(rule: str) -> str:
        raise {"awaited": NotAwaited(), "ship": ShipFull(), "creator": NotTheCreator()}[rule]

    with closing(app) as client:
        yield client


def test_what_nobody_foresaw_is_logged_and_tells_the_client_nothing(failing: FlaskClient) -> None:
    with capture_logs() as logs:
        answer = failing.get("/fails", headers={"X-Request-Id": "here.I-am_7"})
    assert (answer.status_code, answer.content_type) == (500, MEDIA_TYPE)
    assert "swordfish" not in answer.text
    assert answer.get_json()["request_id"] == answer.headers["X-Request-Id"] == "here.I-am_7"
    (entry,) = [entry for entry in logs if entry["event"] == "unhandled"]
    assert "swordfish" in str(entry["exc_info"])


def test_a_problem_holds_the_members_that_are_known_and_no_others(failing: FlaskClient) -> None:
    document = failing.get("/refuses").get_json()
    assert document.pop("request_id")
    assert document == {
        "type": "/problems/stale",
        "title": "The state has moved on",
        "status": 412,
        "detail": "The game is at 7.",
        "code": "stale",
        "game_version": 7,
    }


@pytest.mark.parametrize(
    ("refused", "status", "code", "rule"),
    [
        ("awaited", 409, "not_awaited", "3"),
        ("ship", 422, "ship_full", "4.6"),
        ("creator", 403, "not_the_creator", None),
    ],
)
def test_a_refusal_by_the_rules_names_code_and_section(
    failing: FlaskClient, refused: str, status: int, code: str, rule: str | None
) -> None:
    answer = failing.get(f"/breaks/{refused}")
    document = answer.get_json()
    assert (answer.status_code, document["code"], document.get("rule")) == (status, code, rule)
    assert document["detail"].endswith(".")


def test_codes_are_unique_and_the_page_of_them_is_up_to_date() -> None:
    families = [*kinds_of(RuleViolation), *kinds_of(TableRefusal), *KINDS]
    assert len(set(families)) == len(families)
    assert set(families) == set(ALL_KINDS)
    assert PAGE.read_text() == page(), "run: python -m shared.http.problem_page"


@pytest.mark.parametrize("code", ["option_not_allowed", "building_set_not_allowed"])
def test_who_opens_a_game_is_not_told_to_choose_a_move(code: str) -> None:
    assert "options" in ALL_KINDS[code].advice
    assert "move" not in ALL_KINDS[code].advice


def test_each_refusal_is_specified_with_an_example_of_its_status(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    for client in (commands, queries):
        (api,) = client.application.extensions["flask-smorest"]["apis"].values()
        for path in api["ext_obj"].spec.to_dict()["paths"].values():
            for status, response in refusals_of(path):
                example = response["content"][MEDIA_TYPE]["example"]
                assert (example["status"], ALL_KINDS[example["code"]].status) == (status, status)


def refusals_of(path: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    for method, operation in path.items():
        if method != "parameters":
            for status, response in operation["responses"].items():
                if status.isdigit() and int(status) >= 400 and "$ref" not in response:
                    yield int(status), response


def test_without_postgres_the_answer_is_to_try_again(redis_url: str) -> None:
    settings = Settings("postgresql://nobody@127.0.0.1:1/none", redis_url, redis_url)
    app, _ = base_app("queries", settings)

    @app.get("/reads")
    def reads() -> str:
        with app.extensions["puertorico"].pool.connection() as connection:
            return str(connection.execute("select 1").fetchone())

    with closing(app) as client:
        answer = client.get("/reads")
        assert (answer.status_code, answer.get_json()["code"]) == (503, "unavailable")
        assert answer.headers["Retry-After"] == "1"
        assert "127.0.0.1" not in answer.text
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").get_json() == {
            "status": "unavailable",
            "checks": {"postgres": "down", "redis": "ok"},
        }


@pytest.mark.parametrize("fault", ["standby", "broken"])
def test_a_database_that_only_reads_or_a_broken_connection_is_worth_another_try(
    settings: Settings, fault: str
) -> None:
    """After a failover writes reach a standby for a while, and connections end in mid-use."""
    app, _ = base_app("commands", settings)
    pool = app.extensions["puertorico"].pool

    @app.get("/standby")
    def standby() -> str:
        with pool.connection() as connection, connection.transaction():
            connection.execute("set transaction read only")
            connection.execute("update es.accounts set name = name")
        return "written"

    @app.get("/broken")
    def broken() -> str:
        with pool.connection() as connection, connection.cursor() as cursor:
            pass
        return str(cursor.execute("select 1").fetchone())

    with closing(app) as client:
        answer = client.get(f"/{fault}")
    assert (answer.status_code, answer.get_json()["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "1"


def test_each_code_has_a_page_at_its_type(queries: FlaskClient) -> None:
    listed = queries.get("/problems").get_json()["items"]
    assert [item["code"] for item in listed] == list(ALL_KINDS)
    for item in listed:
        assert queries.get(item["type"]).get_json() == item
    assert queries.get("/problems/no_such_code").status_code == 404


def test_a_pointer_escapes_what_it_must() -> None:
    assert pointer(()) == ""
    assert pointer(("a", 0, "b/c~d", "")) == "/a/0/b~1c~0d/"
