"""A game as text, and the game that such a text tells.

    game {"options":{...},"players":3,"seed":17}
    > 0 {"role":"settler","type":"choose_role"}
    role_chosen: seat 0, role settler, doubloons 0
        phase: null -> settler

A move follows `>` and its seat; below it are its events, each with what it changed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from msgspec import Struct, convert, to_builtins

from shared.engine import Game, evolve, opening, play, set_up
from shared.engine.commands import Command
from shared.engine.events import Event, GameSetUp
from shared.engine.options import Options
from shared.table.chance import Draws
from shared.wire.events import encode_event
from shared.wire.moves import decode_move, encode_move
from tests.properties.player import any_command
from tests.rule_cases.document import document

Flat = dict[str, object]


class Header(Struct):
    """What has to be known besides the moves."""

    players: int
    options: Options
    seed: int

    @property
    def draw(self) -> Draws:
        return Draws(self.seed.to_bytes(32, "big"))


class Playthrough(Struct):
    header: Header
    moves: list[tuple[int, Command]]


def read(text: str) -> Playthrough:
    """The header and the moves of a text."""
    first, *lines = text.splitlines()
    header = convert(json.loads(first.removeprefix("game ")), Header)
    moves = [line.removeprefix("> ").partition(" ") for line in lines if line.startswith("> ")]
    return Playthrough(
        header, [(int(seat), decode_move(json.loads(move))) for seat, _, move in moves]
    )


def record(header: Header) -> Playthrough:
    """A game played at random to its end."""
    rng, moves = random.Random(header.seed), list[tuple[int, Command]]()
    game = set_up(header.players, header.options, header.draw).game
    while not game.is_over:
        seat = rng.choice(game.awaiting).seat
        moves.append((seat, any_command(rng, game, seat)))
        play(game, *moves[-1], header.draw)
    return Playthrough(header, moves)


def write(playthrough: Playthrough) -> str:
    """The whole text: the moves are played again."""
    return "".join(f"{line}\n" for line in _lines(playthrough))


def _lines(playthrough: Playthrough) -> Iterator[str]:
    header = playthrough.header
    yield f"game {_json(header)}"
    turn = set_up(header.players, header.options, header.draw)
    first = turn.events[0]
    assert isinstance(first, GameSetUp)
    game = opening(first)
    yield _event(first)
    yield from _changes({}, _state(game))
    for event in turn.events[1:]:
        yield from _applied(game, event)
    for seat, command in playthrough.moves:
        yield f"> {seat} {_json(encode_move(command))}"
        for event in play(game.clone(), seat, command, header.draw).events:
            yield from _applied(game, event)


def _applied(game: Game, event: Event) -> Iterator[str]:
    before = _state(game)
    evolve(game, event)
    yield _event(event)
    yield from _changes(before, _state(game))


def _event(event: Event) -> str:
    name, _, body = encode_event(event)
    told = ", ".join(f"{key} {_word(value)}" for key, value in body.items())
    return f"{name}: {told}" if told else name


def _changes(before: Flat, after: Flat) -> Iterator[str]:
    for key in dict.fromkeys((*before, *after)):
        if before.get(key) != after.get(key):
            change = f"{_word(before.get(key))} -> {_word(after.get(key))}"
            yield f"    {key}: {change if key in before else _word(after[key])}"


def _state(game: Game) -> Flat:
    """All but who is asked, which the events say in so many words."""
    shown = document(game)
    del shown["awaiting"], shown["turn"]
    return _flat(shown)


def _flat(value: object, path: str = "") -> Flat:
    """Every number and word by its path; lists of words are one word."""
    match value:
        case dict():
            parts = value.items()
        case [dict(), *_]:
            parts = dict(enumerate(value)).items()
        case _:
            return {path: value}
    found: Flat = {}
    for key, part in parts:
        found |= _flat(part, f"{path}.{key}" if path else str(key))
    return found


def _word(value: object) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: object) -> str:
    return json.dumps(to_builtins(value), sort_keys=True, separators=(",", ":"))
