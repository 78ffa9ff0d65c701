"""Reads after a seat was given away: the new owner plays, the old one watches."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest
from flask.testing import FlaskClient

from shared.ids import uuid7
from shared.table import decide
from tests.services.queries.conftest import Archive, Headers, get, ok, problem
from tests.tables import Play

SEAT = 0


@pytest.fixture
def play() -> Play:
    return Play(3, visibility="private").start()


@pytest.fixture
def before(play: Play, archive: Archive, project: Callable[[], None]) -> Headers:
    """Who is awaited at the seat, and has read his game before he gives it away."""
    play.store(archive.store)
    project()
    return archive.players(play)[SEAT]


@pytest.fixture
def after(
    play: Play, before: Headers, queries: FlaskClient, archive: Archive, project: Callable[[], None]
) -> Headers:
    """Whom the seat was given to."""
    path = f"/v1/games/{play.game_id}"
    assert ok(get(queries, path, before))["players"][SEAT]["victory_points"] == 0
    owner, bot = play.table.seats[SEAT], uuid7()
    play.record(decide.give_seat(play.table, owner, str(bot)), UUID(owner))
    play.store(archive.store)
    project()
    return archive.sign_in(bot)


def test_the_bot_sees_its_seat_and_its_turn(
    queries: FlaskClient, play: Play, after: Headers
) -> None:
    path = f"/v1/games/{play.game_id}"
    assert ok(get(queries, path, after))["players"][SEAT]["victory_points"] == 0
    assert ok(get(queries, f"{path}/legal-moves", after))["moves"]
    (turn,) = ok(get(queries, "/v1/me/turns", after))["items"]
    assert turn["seat"] == SEAT
    (game,) = ok(get(queries, "/v1/me/games", after))["items"]
    assert game["id"] == str(play.game_id)


def test_the_player_watches_his_private_game_on_and_is_awaited_no_more(
    queries: FlaskClient, play: Play, before: Headers, after: Headers
) -> None:
    assert after
    path = f"/v1/games/{play.game_id}"
    assert ok(get(queries, path, before))["players"][SEAT]["victory_points"] is None
    assert problem(get(queries, f"{path}/legal-moves", before)) == (403, "not_seated")
    assert ok(get(queries, "/v1/me/turns", before))["items"] == []
    assert len(ok(get(queries, "/v1/me/games", before))["items"]) == 1


def test_without_a_read_model_it_is_the_same(
    unlimited: FlaskClient, play: Play, before: Headers, after: Headers
) -> None:
    path = f"/v1/games/{play.game_id}"
    assert ok(get(unlimited, path, after))["players"][SEAT]["victory_points"] == 0
    assert ok(get(unlimited, path, before))["players"][SEAT]["victory_points"] is None
