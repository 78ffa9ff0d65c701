"""GET /v1/games/{game_id}/legal-moves: one's own, and nobody else's."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask.testing import FlaskClient

from shared.engine.options import Options
from shared.views.legal import legal_document
from tests.services.queries.conftest import Archive, get, ok, problem, same_refusal
from tests.tables import Play


@pytest.fixture
def play(archive: Archive) -> Play:
    return Play(3, Options(seating="as_joined")).start().store(archive.store)


def path(play: Play) -> str:
    return f"/v1/games/{play.game_id}/legal-moves"


def test_each_seat_is_told_its_own_moves(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    for _ in ("from the log", "from the read model", "with the seat known"):
        for seat, who in enumerate(archive.players(play)):
            answer = get(queries, path(play), who)
            assert answer.data == legal_document(play.table, seat)
            assert bool(answer.get_json()["moves"]) is (seat == 0)


def test_a_listed_move_can_be_made_and_the_next_list_is_asked_for_by_version(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    players = archive.players(play)
    for _ in range(30):
        assert play.table.game is not None
        seat = play.table.game.awaiting[0].seat
        query = f"?min_version={play.table.version}"
        answer = get(queries, path(play) + query, players[seat])
        assert answer.data == legal_document(play.table, seat)
        same = get(queries, path(play), players[seat], If_None_Match=answer.headers["ETag"])
        assert same.status_code == 304
        play.moves(1).store(archive.store)
    ahead = f"?min_version={play.table.version + 1}"
    assert problem(get(queries, path(play) + ahead, players[0])) == (409, "version_not_reached")


def test_who_has_no_seat_is_told_no_moves(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    assert problem(get(queries, path(play))) == (401, "unauthorized")
    for _ in range(2):
        assert problem(get(queries, path(play), archive.sign_in())) == (403, "not_seated")


def test_before_the_start_there_is_nothing_to_move(queries: FlaskClient, archive: Archive) -> None:
    play = Play(3).store(archive.store)
    who = archive.sign_in(play.accounts[0])
    for _ in range(2):
        assert problem(get(queries, path(play), who)) == (409, "game_not_running")


def test_a_private_game_is_missing_for_strangers(queries: FlaskClient, archive: Archive) -> None:
    play = Play(3, visibility="private").start().store(archive.store)
    stranger = archive.sign_in()
    for _ in range(2):
        answer = get(queries, path(play), stranger)
        missing = get(queries, f"/v1/games/{uuid4()}/legal-moves", stranger)
        assert same_refusal(answer, missing)
        assert answer.status_code == 404
        ok(get(queries, path(play), archive.sign_in(play.accounts[0])))


def test_without_redis_moves_are_worked_out(
    unlimited: FlaskClient, archive: Archive, play: Play
) -> None:
    who, *_ = archive.players(play)
    assert get(unlimited, path(play), who).data == legal_document(play.table, 0)
