"""GET /v1/games, /v1/me/games and /v1/me/turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from flask.testing import FlaskClient

from shared.engine.options import Options
from shared.ids import uuid7
from tests.services.queries.conftest import Archive, Headers, get, ok, problem
from tests.tables import Play


@pytest.fixture
def accounts() -> list[UUID]:
    return [uuid7() for _ in range(3)]


@pytest.fixture
def plays(archive: Archive, accounts: list[UUID], project: Callable[[], None]) -> dict[str, Play]:
    found = {
        "open": Play(accounts),
        "running": Play(accounts).start(),
        "finished": Play(accounts).start().moves(10_000),
        "secret": Play(accounts, visibility="private").start(),
        "others": Play(2).start(),
    }
    for play in found.values():
        play.store(archive.store)
    project()
    return found


def ids(document: dict[str, Any]) -> list[str]:
    return [item["id"] for item in document["items"]]


def listed(client: FlaskClient, path: str, who: Headers | None = None) -> set[str]:
    return set(ids(ok(get(client, path, who))))


def names(plays: dict[str, Play], *wanted: str) -> set[str]:
    return {str(plays[name].game_id) for name in wanted}


def test_everybody_is_shown_the_public_games_by_status(
    queries: FlaskClient, plays: dict[str, Play]
) -> None:
    public = names(plays, "open", "running", "finished", "others")
    assert listed(queries, "/v1/games") == public
    assert listed(queries, "/v1/games?status=open") == names(plays, "open")
    assert listed(queries, "/v1/games?status=running") == names(plays, "running", "others")
    assert listed(queries, "/v1/games?status=aborted") == set()


def test_one_is_shown_ones_own_games_private_ones_too(
    queries: FlaskClient, archive: Archive, accounts: list[UUID], plays: dict[str, Play]
) -> None:
    who = archive.sign_in(accounts[1])
    mine = names(plays, "open", "running", "finished", "secret")
    assert listed(queries, "/v1/me/games", who) == mine
    running = listed(queries, "/v1/me/games?status=running", who)
    assert running == names(plays, "running", "secret")
    assert listed(queries, "/v1/me/games", archive.sign_in()) == set()


def test_one_is_shown_the_turns_that_await_one(
    queries: FlaskClient, archive: Archive, plays: dict[str, Play]
) -> None:
    play = plays["running"]
    seat = play.table.game and play.table.game.awaiting[0].seat
    who = archive.players(play)[seat or 0]
    turns = ok(get(queries, "/v1/me/turns", who))["items"]
    (turn,) = [turn for turn in turns if turn["game_id"] == str(play.game_id)]
    assert (turn["seat"], turn["decision"]) == (seat, "choose_role")
    document = ok(get(queries, f"/v1/games/{play.game_id}"))
    assert turn["decision_id"] == document["awaiting"][0]["decision_id"]
    assert ok(get(queries, "/v1/me/turns", archive.sign_in()))["items"] == []


def test_pages_follow_one_another_newest_first_without_gap_or_double(
    queries: FlaskClient, plays: dict[str, Play]
) -> None:
    found: list[str] = []
    after = ""
    while True:
        page = ok(get(queries, f"/v1/games?limit=1{after}"))
        found += ids(page)
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert found == sorted(names(plays, "open", "running", "finished", "others"), reverse=True)


@pytest.mark.parametrize("query", ["status=won", "limit=0", "limit=101", "after=123", "mine=1"])
def test_a_query_that_does_not_fit_is_refused(queries: FlaskClient, query: str) -> None:
    assert problem(get(queries, f"/v1/games?{query}")) == (422, "invalid")


@pytest.mark.parametrize("cursor", ["123", "0.1", f"{UUID(int=1)}", f"{UUID(int=1)}.x"])
def test_what_is_no_cursor_of_turns_is_refused(
    queries: FlaskClient, archive: Archive, cursor: str
) -> None:
    """A client that mistakes it would begin again with the first page, and so for ever."""
    answer = get(queries, f"/v1/me/turns?after={cursor}", archive.sign_in())
    assert problem(answer) == (422, "invalid")


def test_pages_of_turns_follow_one_another(
    queries: FlaskClient, archive: Archive, project: Callable[[], None]
) -> None:
    accounts = [uuid7() for _ in range(3)]
    plays = [Play(accounts, Options(seating="as_joined")).start() for _ in range(2)]
    for play in plays:
        play.store(archive.store)
    project()
    who = archive.sign_in(accounts[0])
    first = ok(get(queries, "/v1/me/turns?limit=1", who))
    for cursor in (first["next"], first["next"].upper()):
        second = ok(get(queries, f"/v1/me/turns?limit=1&after={cursor}", who))
        found = [turn["game_id"] for turn in (*first["items"], *second["items"])]
        assert found == sorted((str(play.game_id) for play in plays), reverse=True)
        assert second["next"] is None


@pytest.mark.parametrize("path", ["/v1/me/games", "/v1/me/turns"])
def test_ones_own_lists_need_a_token(queries: FlaskClient, path: str) -> None:
    assert problem(get(queries, path)) == (401, "unauthorized")


def test_lists_that_redis_has_lost_are_asked_for_again_later(
    queries: FlaskClient, unlimited: FlaskClient, archive: Archive, project: Callable[[], None]
) -> None:
    Play(2).store(archive.store)
    for client in (queries, unlimited):
        answer = get(client, "/v1/games")
        assert problem(answer) == (503, "unavailable")
        assert answer.headers["Retry-After"]
    project()
    assert len(ok(get(queries, "/v1/games"))["items"]) == 1
