"""Notation: every move of a random game is read back, and a record plays the game again."""

from __future__ import annotations

import os
import random

import pytest

from shared.engine import play
from shared.engine.events import Event, GameSetUp
from shared.wire.game_record import (
    GameRecord,
    Line,
    fingerprint,
    read_record,
    replayed,
    write_record,
)
from shared.wire.intent import moves_behind
from shared.wire.named_draws import tiles_drawn
from shared.wire.notation import UnreadableMove, read_move, write_move
from tests.properties.test_random_games import Played, played
from tests.properties.universe import LISTED, unlisted

GAMES = int(os.environ.get("PROPERTY_GAMES", "40")) // 2
FIRST = int(os.environ.get("PROPERTY_SEED", "1"))


@pytest.fixture(params=range(FIRST, FIRST + GAMES), scope="module")
def game(request: pytest.FixtureRequest) -> Played:
    return played(int(request.param))


def record_of(game: Played) -> GameRecord:
    set_up = game.opening[0]
    assert isinstance(set_up, GameSetUp)
    record = GameRecord(
        names=[f"Player {seat}: the {seat + 1}." for seat in range(set_up.players)],
        options=set_up.options,
        buildings=set_up.buildings,
        next_draw=set_up.first_draw + set_up.draws,
        turned_up=tiles_drawn(game.opening),
        state=fingerprint(game.game),
    )
    for moment, seat, command in game.moments:
        events = play(moment.clone(), seat, command, game.draw).events
        record.lines.append(Line(seat, command, tiles_drawn(events)))
    return record


def test_every_move_is_read_back(game: Played) -> None:
    for _, _, command in game.moments:
        assert read_move(write_move(command)) == command


def test_a_record_plays_the_same_game(game: Played) -> None:
    record = read_record(write_record(record_of(game)))
    assert record == record_of(game)
    moments = [*(moment for moment, _, _ in game.moments), game.game]
    for position, moment in zip(replayed(record), moments, strict=True):
        assert position == moment
    assert fingerprint(position) == record.state


def test_the_move_behind_events_does_the_same(game: Played) -> None:
    for moment, seat, command in game.moments:
        turn, found = play(moment.clone(), seat, command, game.draw), moment.clone()
        ((found_seat, move, count),) = moves_behind(found, turn.events)
        assert (found_seat, type(move), count) == (seat, type(command), len(turn.events))
        assert found == turn.game
        assert play(moment.clone(), seat, move, game.draw).events == turn.events


def test_moves_made_by_one_command_are_told_apart(game: Played) -> None:
    moments = game.moments[:10]
    position, events = moments[0][0].clone(), list[Event]()
    for moment, seat, command in moments:
        events += play(moment.clone(), seat, command, game.draw).events
    found = [(seat, type(move)) for seat, move, _ in moves_behind(position, events)]
    assert found == [(seat, type(command)) for _, seat, command in moments]


def test_any_command_is_read_back_or_has_no_text() -> None:
    rng = random.Random(1)
    for command in [*LISTED, *(unlisted(rng) for _ in range(2000))]:
        text = write_move(command)
        try:
            read = read_move(text)
        except UnreadableMove:
            continue
        assert write_move(read) == text
