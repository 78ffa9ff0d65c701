"""Positions in full form: every moment is read back, and no document breaks the engine."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from shared.engine import Game, RuleViolation, legal, play
from shared.engine.open_moves import open_moves
from shared.table.chance import Draws
from shared.table.state import Status, Table
from shared.views.state import state_document
from shared.wire.full_position import read_full_position
from shared.wire.possible import PositionRefused
from tests.properties.test_random_games import played

GAMES = int(os.environ.get("PROPERTY_GAMES", "40")) // 2
FIRST = int(os.environ.get("PROPERTY_SEED", "1"))
Document = dict[str, Any]
DRAW = Draws(b"positions")


def shown(game: Game) -> bytes:
    """The state document of a game, with every total."""
    status = Status.FINISHED if game.is_over else Status.RUNNING
    seats = tuple(f"account {seat}" for seat in range(len(game.players)))
    table = Table("game", "creator", "public", game.options, "", 1, game.version, status)
    table.seats, table.game = seats, game
    return state_document(table, None)


def with_points(document: Document, game: Game) -> Document:
    for seat, player in enumerate(game.players):
        document["players"][seat]["victory_points"] = player.victory_points
    return document


@pytest.mark.parametrize("seed", range(FIRST, FIRST + GAMES))
def test_every_moment_is_read_back_as_it_was(seed: int) -> None:
    game = played(seed)
    for moment in [*(moment for moment, _, _ in game.moments), game.game]:
        read = read_full_position(with_points(json.loads(shown(moment)), moment))
        assert read == moment
        assert shown(read) == shown(moment)
        for seat in range(len(moment.players)):
            assert legal(read, seat) == legal(moment, seat)
            assert open_moves(read, seat) == open_moves(moment, seat)


def test_a_hidden_total_must_be_supplied() -> None:
    moment, _, _ = next(m for m in played(1).moments if m[0].drafted is None)
    document = with_points(json.loads(shown(moment)), moment)
    document["players"][1]["victory_points"] = None
    with pytest.raises(PositionRefused) as refused:
        read_full_position(document)
    assert refused.value.pointer == "/players/1/victory_points"


@pytest.mark.parametrize("seed", range(FIRST, FIRST + GAMES))
def test_what_is_not_refused_can_be_played(seed: int) -> None:
    rng = random.Random(seed)
    moments = [moment for moment, _, _ in played(seed).moments]
    read = 0
    for moment in rng.choices(moments, k=40):
        document = with_points(json.loads(shown(moment)), moment)
        for _ in range(rng.randint(1, 3)):
            mutate(rng, document)
        try:
            game = read_full_position(document)
        except PositionRefused:
            continue
        read += 1
        for seat in range(len(game.players)):
            for command in [*legal(game, seat), *(move.example for move in open_moves(game, seat))]:
                try_out(rng, game.clone(), seat, command)
    assert read


def try_out(rng: random.Random, game: Game, seat: int, command: Any) -> None:
    """The command, then a few more: the engine may refuse them, not fail."""
    try:
        play(game, seat, command, DRAW)
        for _ in range(3):
            if game.is_over:
                return
            seat = rng.choice(game.awaiting).seat
            offered = [*legal(game, seat), *(move.example for move in open_moves(game, seat))]
            play(game, seat, rng.choice(offered), DRAW)
    except RuleViolation:
        return


def mutate(rng: random.Random, document: Document) -> None:
    """Change one value, somewhere, to one like it or to something else."""
    places = list(leaves(document))
    holder, key = rng.choice(places)
    others = [holder[key] for holder, key in places if holder[key] is not None]
    match rng.randrange(6):
        case 0:
            holder[key] = copy.deepcopy(rng.choice(others))
        case 1:
            holder[key] = rng.choice([None, True, -1, 10**400, "x", [], {}, 2.5])
        case 2 if isinstance(holder, list):
            holder.insert(rng.randint(0, len(holder)), copy.deepcopy(rng.choice(others)))
        case 3:
            del holder[key]
        case 4 if isinstance(holder, dict):
            name = rng.choice([str(other) for other in others])
            holder[name] = copy.deepcopy(rng.choice(others))
        case _:
            alike = [other for other in others if type(other) is type(holder[key])]
            holder[key] = copy.deepcopy(rng.choice(alike or others))


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place that holds a value: its container and its key or index."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        if isinstance(inner, dict | list):
            yield from leaves(inner)
