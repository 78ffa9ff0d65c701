"""Plays a case against the rules engine."""

from __future__ import annotations

from msgspec import UNSET, ValidationError, convert, json

from shared.engine import Game, RuleViolation, legal, play, set_up
from shared.engine.commands import Build, Command, StoreGoods
from shared.engine.open_moves import ExchangeBuild, open_moves
from shared.engine.options import Options
from shared.engine.phases import storage
from shared.table.chance import Draws
from shared.wire.moves import MalformedMove, decode_move, encode_move
from shared.wire.position import read_position
from shared.wire.possible import PositionRefused
from tests.rule_cases.case import Case, Given, Move, Step, Unreadable, read_case
from tests.rule_cases.document import document
from tests.rule_cases.matching import difference

DRAW = Draws(b"rule cases")
"""Where the draw matters a case gives the face-down stack one kind only."""


def failure(found: object) -> str | None:
    """Why this document fails as a case: one line, or None if it passes."""
    try:
        return _play(read_case(found))
    except (Unreadable, PositionRefused, MalformedMove) as error:
        return f"unreadable: {error}"
    except Exception as error:  # noqa: BLE001 (a fault of one case: the others are played)
        return " ".join(f"crashed: {error!r}".split())


def _play(case: Case) -> str | None:
    try:
        game = _given(case.given)
    except RuleViolation as violation:
        if case.given.rejected:
            return None
        return f"given: expected a game, found {violation.code}: {violation}"
    if case.given.rejected:
        return "given: expected a refusal, found a game"
    for number, step in enumerate(case.when or [], start=1):
        if fault := _before(game, step) or _move(game, step):
            return f"step {number}: {fault}"
    fault = difference(case.then or {}, document(game))
    return fault and f"then: {fault}"


def _given(given: Given) -> Game:
    options = _options(given)
    game = set_up(given.players, options, DRAW).game
    if not given.position:
        return game
    if options.buildings in ("random", "draft"):
        raise Unreadable("a random or drafted set takes no position")
    return read_position(given.position, game)


def _options(given: Given) -> Options:
    named = {key: value for key, value in (given.options or {}).items() if value is not None}
    for name in named:
        if name not in Options.__struct_fields__:
            raise Unreadable(f"there is no option {name}")
    if "points_supply" in named:
        named["points_supply"] = str(named["points_supply"])  # 126 is a number without its quotes
    if given.buildings is not None:
        if any(name.endswith("buildings") for name in named):
            raise Unreadable("the buildings are named twice")
        custom = isinstance(given.buildings, list)
        named["buildings"] = "custom" if custom else given.buildings
        named["custom_buildings"] = given.buildings if custom else ()
    try:
        return convert(named, Options)
    except ValidationError as error:
        raise Unreadable(str(error)) from None


def _before(game: Game, step: Step) -> str | None:
    """What is not as the step says about the moment before its move."""
    fault = None if step.seat is None else _listed_fault(game, step.seat, step)
    return fault or difference(step.expect or {}, document(game))


def _listed_fault(game: Game, seat: int, step: Step) -> str | None:
    offered = {_key(game, seat, command) for command in _listed(game, seat)}
    if step.legal is not UNSET:
        named = _keys(game, seat, step.legal)
        if named != offered:
            missing, further = sorted(named - offered), sorted(offered - named)
            return f"expected legal moves {missing} that are missing, found besides {further}"
    if missing := sorted(_keys(game, seat, step.legal_includes) - offered):
        return f"expected legal moves {missing}, found {sorted(offered)}"
    if further := sorted(_keys(game, seat, step.legal_excludes) & offered):
        return f"expected no legal moves {further}, found {sorted(offered)}"
    return None


def _listed(game: Game, seat: int) -> list[Command]:
    """The legal moves as cases list them: what can be built by an exchange only is among them."""
    exchanges = [m for m in open_moves(game, seat) if isinstance(m, ExchangeBuild)]
    return [*legal(game, seat), *(Build(move.building) for move in exchanges)]


def _keys(game: Game, seat: int, moves: list[Move]) -> set[str]:
    return {_key(game, seat, _command(move)) for move in moves}


def _command(move: Move) -> Command:
    """An arrangement that leaves out the city, or the island, leaves it empty."""
    if move.get("type") == "place_colonists":
        move = {"island": [], "city": {}, **move}
    return decode_move(move)


def _key(game: Game, seat: int, command: Command) -> str:
    """What makes two moves of a seat the same: storage is compared by what is kept."""
    if isinstance(command, StoreGoods):
        kept = storage.kept(command, game.players[seat].goods)
        return json.encode({"type": "store_goods", "kept": kept}, order="sorted").decode()
    return json.encode(encode_move(command), order="sorted").decode()


def _move(game: Game, step: Step) -> str | None:
    """Make the step's move, on this very game; a refusal must change nothing."""
    if step.move is None or step.seat is None:
        return None
    before = game.clone()
    try:
        play(game, step.seat, _command(step.move), DRAW)
    except (RuleViolation, MalformedMove) as refusal:
        if not step.rejected:
            return f"expected {step.move} accepted, found {type(refusal).__name__}: {refusal}"
        return None if game == before else f"expected no change, found one by {step.move}"
    return f"expected {step.move} refused, found it accepted" if step.rejected else None
