"""Reads that are answered before Flask: the same answers as the app's, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs
from werkzeug.test import TestResponse

from services.queries.app import create_app
from services.queries.door import ReadingDoor
from shared.config import Settings
from tests.services.conftest import closing, inside_of
from tests.services.queries.conftest import Archive, Headers, get
from tests.tables import Play

PATHS = ("", "/legal-moves", "?min_version=3", "/legal-moves?min_version=3")
VARYING = ("X-Request-Id", "RateLimit")


@pytest.fixture
def play(archive: Archive) -> Play:
    return Play(3, rng=random.Random(2)).start().moves(20).store(archive.store)


@pytest.fixture
def player(
    queries: FlaskClient, archive: Archive, play: Play, project: Callable[[], None]
) -> Headers:
    """Somebody whose token and seat the service knows already."""
    project()
    found = archive.players(play)[0]
    for path in PATHS:
        get(queries, f"/v1/games/{play.game_id}{path}", found)
    return found


@pytest.fixture
def inside(queries: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that went on into the app."""
    return inside_of(queries, ReadingDoor, monkeypatch)


@pytest.mark.parametrize("path", PATHS)
def test_a_ready_read_is_answered_as_the_app_answers_it(
    queries: FlaskClient, play: Play, player: Headers, inside: list[str], path: str
) -> None:
    address = f"/v1/games/{play.game_id}{path}"
    at_the_door = get(queries, address, player)
    assert inside == []
    by_the_app = queries.head(address, headers=player)
    assert len(inside) == 1
    assert steady(at_the_door) == steady(by_the_app)
    assert at_the_door.status_code == 200
    tag = at_the_door.headers["ETag"]
    for if_none_match in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        same = get(queries, address, player, If_None_Match=if_none_match)
        by_the_app = queries.head(address, headers={**player, "If-None-Match": if_none_match})
        assert same.status_code == by_the_app.status_code == 304
        assert steady(same) == steady(by_the_app)
        assert same.data == b""
    assert get(queries, address, player, If_None_Match='"other"').status_code == 200


def steady(answer: TestResponse) -> dict[str, str]:
    """What of the headers does not differ from request to request."""
    return {name: value for name, value in answer.headers if name not in VARYING}


@pytest.mark.parametrize("query", ["?min_version=x", "?at=3", "?min_version=1&min_version=2"])
def test_other_queries_are_the_apps(
    queries: FlaskClient, play: Play, player: Headers, inside: list[str], query: str
) -> None:
    get(queries, f"/v1/games/{play.game_id}{query}", player)
    assert inside == [f"/v1/games/{play.game_id}"]


@pytest.mark.usefixtures("player")
def test_who_may_not_is_refused_by_the_app(
    queries: FlaskClient, archive: Archive, play: Play, inside: list[str]
) -> None:
    path = f"/v1/games/{play.game_id}"
    nobody = {"Authorization": "Bearer pr_" + "x" * 43}
    cannot_read = archive.sign_in(scopes=("account",))
    for who, status in ((nobody, 401), (cannot_read, 403), (cannot_read, 403)):
        assert get(queries, path, who).status_code == status
    assert len(inside) == 3


def test_a_version_that_redis_does_not_have_is_the_apps(
    queries: FlaskClient, play: Play, player: Headers, inside: list[str]
) -> None:
    newer = play.table.version + 1
    path = f"/v1/games/{play.game_id}?min_version={newer}"
    assert get(queries, path, player).status_code == 409
    assert len(inside) == 1


def test_what_is_answered_at_the_door_is_logged_and_counted_like_all_else(
    queries: FlaskClient, play: Play, player: Headers, inside: list[str]
) -> None:
    with capture_logs() as logs:
        answer = get(queries, f"/v1/games/{play.game_id}", player, X_Request_Id="mine-1")
    assert inside == []
    assert answer.headers["X-Request-Id"] == "mine-1"
    [line] = logs
    assert (line["event"], line["route"]) == ("request", "/v1/games/<game_id>")
    assert (line["service"], line["request_id"], line["status"]) == ("queries", "mine-1", 200)
    assert line["account_id"] == play.table.seats[0]


def test_what_the_door_logs_of_a_request_has_the_id_of_that_request(
    no_redis: Settings, archive: Archive, play: Play
) -> None:
    """Here, that Redis does not answer: who looks for a request must find it."""
    player = archive.players(play)[0]
    with closing(create_app(no_redis)) as queries, capture_logs([merge_contextvars]) as logs:
        for request_id in ("first", "second"):
            path = f"/v1/games/{play.game_id}"
            assert get(queries, path, player, X_Request_Id=request_id).status_code == 200
    silent = [line for line in logs if line["event"].startswith("Redis does not answer")]
    assert [(line["service"], line["request_id"]) for line in silent] == [
        ("queries", "first"),
        ("queries", "second"),
    ]
