"""A position as the API serves it: the state document of a game, at any moment, read back.

The keys that say whose game it is and how it came about are passed over; what follows from the rest
(`phase`, `turn`, `finished`, `winners`) must fit it. Points that were hidden have to be supplied.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert, structs, to_builtins

from shared.engine import scoring
from shared.engine.memory import PhaseMemory
from shared.engine.options import Options
from shared.engine.setup import COMPONENTS, roles
from shared.engine.state import (
    Asked,
    CargoShip,
    EndTrigger,
    Game,
    Plantations,
    Player,
    Space,
    Supply,
    Window,
)
from shared.engine.vocabulary import BuildingKey, Decision, Good, Role
from shared.wire.faults import located, strays
from shared.wire.moments import moment_faults
from shared.wire.position import in_turn_order, pile
from shared.wire.possible import (
    Fault,
    PositionRefused,
    board_faults,
    require_possible,
    set_faults,
)

K = TypeVar("K", bound=str)


class AskedPosition(Struct, frozen=True):
    seat: int
    decision: Decision
    decision_id: str = ""
    """`<seat>.<version>`; by default it was asked at the position's version."""


class BuiltPosition(Struct, frozen=True):
    building: BuildingKey
    colonists: int = 0


class MemberPosition(Struct, frozen=True):
    account_id: str = ""
    nonce: str = ""


class ScorePosition(Struct, frozen=True):
    total: int
    victory_points: int
    buildings: int
    bonuses: int
    bonus_by_building: dict[BuildingKey, int]
    tie_break: int


class SeatPosition(Struct, frozen=True):
    doubloons: int
    goods: dict[Good, int]
    san_juan: int
    island: list[Space]
    city: list[BuiltPosition]
    victory_points: int | None = None
    doubled: Role | None = None
    seat: int | None = None
    account_id: str = ""


class PhasePosition(Struct, frozen=True):
    phase: PhaseMemory | None = None
    guests_asked: Window | None = None
    drafted: list[BuildingKey] | None = None


class Provenance(Struct, frozen=True, kw_only=True):
    """Whose game it is and how it came about: passed over."""

    id: str = ""
    status: str = ""
    visibility: str = ""
    created_by: str = ""
    created_at: str = ""
    updated_at: str = ""
    rules_version: int = 0
    seed_commitment: str = ""
    seed: str | None = None
    head_hash: str = ""
    members: list[MemberPosition] = []
    seats: list[str] = []


class FullPosition(Provenance, frozen=True, kw_only=True):
    """A whole state, at any moment of a game."""

    options: Options
    awaiting: list[AskedPosition]
    round: int
    governor: int
    roles_taken: dict[Role, int]
    role_doubloons: dict[Role, int]
    players: list[SeatPosition]
    supply: Supply
    plantations: Plantations
    cargo_ships: list[CargoShip]
    trading_house: list[Good]
    phase_state: PhasePosition
    end_trigger: EndTrigger | None = None
    finished: bool = False
    scores: dict[int, ScorePosition] | None = None
    winners: list[int] = []
    phase: Role | None = None
    turn: int | None = None
    version: int = 0
    next_draw: int = 0


def read_full_position(document: dict[str, Any]) -> Game:
    """The game that this state document shows. Raises PositionRefused."""
    try:
        position = convert(document, FullPosition, str_keys=True)
    except ValidationError as error:
        raise PositionRefused(*located(error)) from None
    require_possible(strays(document, to_builtins(position, str_keys=True)))
    require_possible(_document_faults(position))
    game = _game(position)
    require_possible(set_faults(game))
    require_possible(board_faults(game))
    require_possible(moment_faults(game))
    return game


def _game(position: FullPosition) -> Game:
    """The game, its maps in the order in which the engine makes them."""
    supply, tiles, state = position.supply, position.plantations, position.phase_state
    game = Game(
        options=position.options,
        players=[_player(seat) for seat in position.players],
        supply=structs.replace(
            supply,
            goods=_goods(supply.goods),
            buildings=_ordered(supply.buildings, BuildingKey),
        ),
        plantations=Plantations(tiles.face_up, pile(tiles.face_down), pile(tiles.discards)),
        cargo_ships=position.cargo_ships,
        trading_house=position.trading_house,
        role_doubloons=_ordered(position.role_doubloons, Role),
        drafted=state.drafted,
        round=position.round,
        governor=position.governor,
        roles_taken=in_turn_order(position.roles_taken, position.governor, len(position.players)),
        phase=state.phase,
        window=state.guests_asked,
        awaiting=[_asked(asked, position.version) for asked in position.awaiting],
        end_trigger=position.end_trigger,
        draws=position.next_draw,
        version=position.version,
    )
    if position.finished:
        game.scores, game.winners = scoring.standings(game)
    require_possible(_consequence_faults(game, position))
    return game


def _player(seat: SeatPosition) -> Player:
    assert seat.victory_points is not None
    return Player(
        seat.doubloons,
        seat.island,
        {built.building: built.colonists for built in seat.city},
        _goods(seat.goods),
        seat.victory_points,
        seat.san_juan,
        seat.doubled,
    )


def _goods(named: dict[Good, int]) -> dict[Good, int]:
    return {good: named.get(good, 0) for good in Good}


def _ordered(named: dict[K, int], order: Iterable[K]) -> dict[K, int]:
    return {key: named[key] for key in order if key in named}


def _asked(asked: AskedPosition, version: int) -> Asked:
    asked_at = asked.decision_id.partition(".")[2]
    return Asked(asked.seat, asked.decision, int(asked_at) if asked_at else version)


# What cannot be


def _document_faults(position: FullPosition) -> Iterator[Fault]:
    """What would make no game at all of it, in the order of its keys."""
    count = len(position.players)
    if count not in COMPONENTS:
        yield "/players", "A game has 2 to 5 players."
    if not position.round:
        yield "/round", "The first round is 1."
    if list(_ordered(position.role_doubloons, Role)) != roles(count):
        yield "/role_doubloons", f"The roles of this game are {', '.join(roles(count))}."
    for role in position.roles_taken.keys() - position.role_doubloons.keys():
        yield f"/roles_taken/{role}", "This role is not part of the game."
    for seat, player in enumerate(position.players):
        yield from _seat_faults(seat, player)
    for index, asked in enumerate(position.awaiting):
        if asked.decision_id and not _fits(asked):
            yield f"/awaiting/{index}/decision_id", "It is the seat, a dot and a version."
    for pointer, seat in _named_seats(position):
        if seat >= count:
            yield pointer, "There is no such seat."


def _fits(asked: AskedPosition) -> bool:
    return re.fullmatch(rf"{asked.seat}\.[0-9]{{1,7}}", asked.decision_id) is not None


def _seat_faults(seat: int, player: SeatPosition) -> Iterator[Fault]:
    pointer = f"/players/{seat}"
    if player.seat not in (None, seat):
        yield f"{pointer}/seat", f"This is seat {seat}."
    if player.victory_points is None:
        yield f"{pointer}/victory_points", "This total is hidden from you: supply a number."
    owned = [built.building for built in player.city]
    if len(set(owned)) < len(owned):
        yield f"{pointer}/city", "A building is owned once."


def _named_seats(position: FullPosition) -> Iterator[tuple[str, int]]:
    state = position.phase_state
    yield "/governor", position.governor
    if state.phase is not None:
        yield "/phase_state/phase/taker", state.phase.taker
    if state.guests_asked is not None:
        yield "/phase_state/guests_asked/first", state.guests_asked.first
    for index, asked in enumerate(position.awaiting):
        yield f"/awaiting/{index}/seat", asked.seat


def _consequence_faults(game: Game, position: FullPosition) -> Iterator[Fault]:
    """Keys that repeat what others say."""
    if position.turn not in (None, game.next_to_choose()):
        yield "/turn", "It does not fit the governor and the roles taken."
    if position.phase is not None and (game.phase is None or position.phase is not game.phase.role):
        yield "/phase", "It does not fit the phase in `phase_state`."
    if set(position.winners) != set(game.winners):
        yield "/winners", "They have not won in this position."
