"""A game written down, one line a move, to be read and to be played again (docs/notation.md)."""

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, ValidationError, convert, field, json, to_builtins

from shared.engine import Game, RuleViolation, Turn, begin, opening, play
from shared.engine.commands import Command
from shared.engine.events import GameSetUp
from shared.engine.options import Options
from shared.engine.setup import COMPONENTS
from shared.engine.vocabulary import BuildingKey, Tile
from shared.wire.faults import MOST
from shared.wire.named_draws import CannotBeDrawn, NamedDraws
from shared.wire.notation import UnreadableMove, read_move, write_move
from shared.wire.possible import set_faults

_FORMAT = "Puerto Rico record 1"
_STATE = "state: "
_DRAWN = r"(?: \{(?P<drawn>[a-z ]*)\})?"
_MOVE = re.compile(r"(?P<number>[0-9]+)\. seat (?P<seat>[0-4]): (?P<move>[^{}]+?)" + _DRAWN)
_SET_UP = re.compile("set up" + _DRAWN)
_KEYS = {
    "game": "game_id",
    "options": "options",
    "buildings": "buildings",
    "rules": "rules",
    "version": "version",
    "next draw": "next_draw",
}


class BadRecord(Exception):
    """The text is no record, or its moves cannot be played. The message names the line."""


class Line(Struct, frozen=True):
    """A move, and the tiles drawn by it."""

    seat: int
    command: Command
    drawn: tuple[Tile, ...] = ()


class GameRecord(Struct, kw_only=True):
    """What the moves of a game are played from, and the moves."""

    names: list[str]
    options: Options
    buildings: tuple[BuildingKey, ...]
    """The violet ones in play, none before a draft."""
    version: Annotated[int, Meta(ge=1, le=MOST)] = 1
    """Of the event that set the game up."""
    next_draw: Annotated[int, Meta(ge=0, le=MOST)] = 0
    """The number of the first draw after the set-up."""
    turned_up: tuple[Tile, ...] = ()
    game_id: str = ""
    rules: int = 1
    lines: list[Line] = field(default_factory=list)
    state: str = ""
    """`fingerprint` of the state after the last line."""


def fingerprint(game: Game) -> str:
    """SHA-256 of the whole state, as JSON with sorted keys, in hex."""
    return sha256(json.encode(to_builtins(game, str_keys=True), order="sorted")).hexdigest()


def replayed(record: GameRecord) -> Iterator[Game]:
    """The game at its beginning and, the same one, after each move. Raises BadRecord."""
    game = _set_up(record)
    yield game
    for number, line in enumerate(record.lines, start=1):
        draws = NamedDraws(game, line.drawn)
        try:
            if line.seat >= len(game.players):
                raise BadRecord(f"move {number}: there is no seat {line.seat}")
            play(game, line.seat, line.command, draws)
            draws.require_all_used()
        except (RuleViolation, CannotBeDrawn) as error:
            raise BadRecord(f"move {number}: {error}") from error
        yield game


def _set_up(record: GameRecord) -> Game:
    """As `engine.set_up` does it, with the set of buildings and the tiles that were drawn."""
    players = len(record.names)
    if players not in COMPONENTS:
        raise BadRecord("a game has 2 to 5 seats")
    game = opening(GameSetUp(players, record.options, record.buildings, record.next_draw, 0))
    game.version = record.version
    for _, fault in set_faults(game):
        raise BadRecord(f"set up: {fault}")
    draws = NamedDraws(game, record.turned_up)
    try:
        begin(Turn(game, draws))
        draws.require_all_used()
    except CannotBeDrawn as error:
        raise BadRecord(f"set up: {error}") from error
    return game


# Written


def write_record(record: GameRecord) -> str:
    """The record as text."""
    return "\n".join([_FORMAT, "", *_header(record), "", *_lines(record), ""])


def _header(record: GameRecord) -> Iterator[str]:
    if record.game_id:
        yield f"game: {record.game_id}"
    for seat, name in enumerate(record.names):
        yield f"seat {seat}: {name}"
    yield f"options: {json.encode(_named_options(record.options)).decode()}"
    if record.buildings:
        yield f"buildings: {' '.join(record.buildings)}"
    yield f"rules: {record.rules}"
    yield f"version: {record.version}"
    yield f"next draw: {record.next_draw}"


def _named_options(options: Options) -> dict[str, object]:
    """Those that differ from the default."""
    given, defaults = to_builtins(options), to_builtins(Options())
    return {name: value for name, value in given.items() if value != defaults[name]}


def _lines(record: GameRecord) -> Iterator[str]:
    yield "set up" + _braced(record.turned_up)
    for number, line in enumerate(record.lines, start=1):
        yield f"{number}. seat {line.seat}: {write_move(line.command)}{_braced(line.drawn)}"
    if record.state:
        yield f"{_STATE}{record.state}"


def _braced(tiles: Sequence[Tile]) -> str:
    return f" {{{' '.join(tiles)}}}" if tiles else ""


# Read


def read_record(text: str) -> GameRecord:
    """The record that this text is. Raises BadRecord."""
    lines = _numbered(text)
    if not lines or lines[0][1] != _FORMAT:
        raise BadRecord(f"the first line of a record is {_FORMAT!r}")
    begun = next((at for at, (_, line) in enumerate(lines) if _SET_UP.fullmatch(line)), None)
    if begun is None:
        raise BadRecord("there is no line 'set up'")
    record = _read_header(dict(_entry(*line) for line in lines[1:begun]), lines[begun])
    moves = lines[begun + 1 :]
    if moves and moves[-1][1].startswith(_STATE):
        record.state = moves.pop()[1].removeprefix(_STATE)
    for line in moves:
        record.lines.append(_read_line(*line, count=len(record.lines)))
    return record


def _numbered(text: str) -> list[tuple[int, str]]:
    """Its lines with their numbers, but for empty ones and comments."""
    numbered = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    return [(number, line) for number, line in numbered if line and not line.startswith("#")]


def _entry(number: int, line: str) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    if not colon:
        raise BadRecord(f"line {number}: {line!r} is not 'key: value'")
    return key, value.strip()


def _read_header(entries: dict[str, str], set_up: tuple[int, str]) -> GameRecord:
    names = {key: name for key, name in entries.items() if key.startswith("seat ")}
    if sorted(names) != [f"seat {seat}" for seat in range(len(names))]:
        raise BadRecord("the seats are counted from 0 on")
    if unknown := entries.keys() - names.keys() - _KEYS.keys():
        raise BadRecord(f"{min(unknown)!r} is not known")
    words = {_KEYS[key]: value for key, value in entries.items() if key in _KEYS}
    try:
        return convert(
            {
                **words,
                "names": [name for _, name in sorted(names.items())],
                "options": json.decode(words.get("options", "{}")),
                "buildings": words.get("buildings", "").split(),
                "turned_up": _tiles(_SET_UP.fullmatch(set_up[1])),
            },
            GameRecord,
            strict=False,
        )
    except DecodeError as error:
        raise BadRecord(f"line {set_up[0]} or before: {error}") from None


def _read_line(number: int, line: str, *, count: int) -> Line:
    match = _MOVE.fullmatch(line)
    if match is None or match["number"] != str(count + 1):
        raise BadRecord(f"line {number}: expected '{count + 1}. seat <seat>: <move>'")
    try:
        command = read_move(match["move"])
        return Line(int(match["seat"]), command, convert(_tiles(match), tuple[Tile, ...]))
    except (UnreadableMove, ValidationError) as error:
        raise BadRecord(f"line {number}: {error}") from None


def _tiles(match: re.Match[str] | None) -> list[str]:
    return ((match and match["drawn"]) or "").split()
