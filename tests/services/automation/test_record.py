"""A game's audit trail becomes a record, and the record the same final state."""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from services.automation import replay
from services.automation.record import NotStarted, recorded
from shared.engine.options import Options
from shared.table import decide
from shared.views.audit import audit_item
from shared.wire.game_record import fingerprint, read_record, replayed, write_record
from tests.tables import Play

OPTIONS = [
    Options(),
    Options(buildings="random", placement="at_once"),
    Options(buildings="draft", never_together=(), hidden_points=False),
    Options(corn_start="one_less", swap_factory_university=True, seating="as_joined"),
]


def trail(play: Play) -> list[dict[str, object]]:
    """The items as the API gives them."""
    items = [audit_item(record.text, record.hash) for record in play.records]
    return [msgspec.json.decode(msgspec.json.encode(item)) for item in items]


@pytest.mark.parametrize(("players", "options"), list(enumerate(OPTIONS, start=2)))
def test_a_record_gives_the_same_final_state(players: int, options: Options) -> None:
    play = Play(players, options, rng=random.Random(players)).start().moves(5000)
    _, found = recorded(trail(play))
    game = play.table.game
    assert game is not None and game.is_over
    *_, end = replayed(read_record(write_record(found)))
    assert end == game
    assert found.state == fingerprint(game)


@pytest.mark.parametrize("moves", [0, 1, 30])
def test_a_game_that_goes_on_is_recorded_so_far(moves: int) -> None:
    play = Play(3).start().moves(moves)
    _, found = recorded(trail(play))
    assert len(found.lines) == moves
    *_, end = replayed(found)
    assert end == play.table.game


def test_an_aborted_game_is_recorded_up_to_its_end() -> None:
    play = Play(3).start().moves(10)
    play.abort()
    assert len(recorded(trail(play))[1].lines) == 10


def test_a_seat_that_was_given_away_makes_no_line() -> None:
    play = Play(3).start().moves(10)
    owner = play.table.seats[0]
    play.record(decide.give_seat(play.table, owner, "a bot"), UUID(owner))
    table, found = recorded(trail(play))
    assert len(found.lines) == 10
    assert table.seats == (owner, *play.table.seats[1:])
    *_, end = replayed(found)
    assert fingerprint(end) == found.state


def test_a_game_that_has_not_begun_has_no_record() -> None:
    with pytest.raises(NotStarted):
        recorded(trail(Play(3)))


@pytest.mark.parametrize("moves", [20, 5000])
def test_replay_says_that_it_came_to_the_recorded_state(
    moves: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    _, found = recorded(trail(Play(3).start().moves(moves)))
    file.write_text(write_record(found))
    assert replay.run(argparse.Namespace(file=file)) == 0
    assert "This is the recorded state." in capsys.readouterr().out
    file.write_text(write_record(found).replace(found.state, "0" * 64))
    assert replay.run(argparse.Namespace(file=file)) == 1
    assert "not 000" in capsys.readouterr().err


def test_replay_says_what_is_wrong_with_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(b"\xff")
    assert replay.run(argparse.Namespace(file=file)) == 1
    file.write_text("1. seat 0: settler")
    assert replay.run(argparse.Namespace(file=file)) == 1
    assert "the first line of a record" in capsys.readouterr().err
