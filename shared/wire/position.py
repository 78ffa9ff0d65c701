"""A position as people write it: a moment at which a seat is to choose a role.

What is not named is as in the standard opening. Tiles and buildings are written short, with a star
per colonist: `corn*`, `indigo_plant**`. The keys are listed in docs/rule-cases.md.
"""

from collections.abc import Container, Iterable
from typing import Annotated, TypeVar

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import replace

from shared.engine.state import (
    Asked,
    CargoShip,
    EndTrigger,
    Game,
    Plantations,
    Player,
    Space,
    Supply,
)
from shared.engine.vocabulary import BuildingKey, Decision, EndReason, Good, Role, Tile
from shared.wire.faults import located
from shared.wire.moments import moment_faults
from shared.wire.possible import PositionRefused, board_faults, require_possible

Count = Annotated[int, Meta(ge=0, le=1000)]
Words = list[str]
T = TypeVar("T")


class PlayerPosition(Struct, frozen=True, forbid_unknown_fields=True):
    doubloons: Count | None = None
    victory_points: Count | None = None
    goods: dict[Good, Count] = {}
    san_juan: Count | None = None
    island: Words | None = None
    city: Words | None = None


class SupplyPosition(Struct, frozen=True, forbid_unknown_fields=True):
    colonists: Count | None = None
    colonist_ship: Count | None = None
    victory_points: Count | None = None
    quarries: Count | None = None
    goods: dict[Good, Count] = {}
    buildings: dict[BuildingKey, Count] = {}


class PlantationsPosition(Struct, frozen=True, forbid_unknown_fields=True):
    face_up: list[Tile] | None = None
    face_down: dict[Tile, Count] | None = None
    discards: dict[Tile, Count] | None = None


class ShipPosition(Struct, frozen=True, forbid_unknown_fields=True):
    capacity: Count | None = None
    """By default that of the opening's ship."""
    good: Good | None = None
    loaded: Count | None = None
    """With 0 it is empty, whatever good is named."""


class TriggerPosition(Struct, frozen=True, forbid_unknown_fields=True):
    reason: EndReason
    round: Count | None = None
    """The current round if not named."""


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """What differs from the opening, at a moment when a role is to be chosen."""

    round: Annotated[int, Meta(ge=1, le=1000)] = 1
    governor: Count = 0
    turn: Count | None = None
    """By default the governor plus the roles taken, which it must fit."""
    roles_taken: dict[Role, Count] = {}
    role_doubloons: dict[Role, Count] = {}
    players: dict[Count, PlayerPosition] = {}
    supply: SupplyPosition = SupplyPosition()
    plantations: PlantationsPosition = PlantationsPosition()
    cargo_ships: list[ShipPosition] | dict[Count, ShipPosition] | None = None
    """All of them, or a map from the index of those that differ."""
    trading_house: list[Good] | None = None
    end_trigger: TriggerPosition | None = None


def read_position(document: object, opening: Game) -> Game:
    """The game in which this position is laid over an opening. Raises PositionRefused."""
    if opening.drafted is not None:
        raise PositionRefused("A game with a draft begins with it: it takes no position.", "")
    try:
        position = convert(document, Position, str_keys=True)
    except ValidationError as error:
        raise PositionRefused(*located(error)) from None
    game = _lay(opening, position)
    require_possible(board_faults(game))
    require_possible(moment_faults(game))
    return game


def write_space(space: Space) -> str:
    """`corn*`."""
    return space.tile + "*" * space.colonists


def write_building(key: BuildingKey, colonists: int) -> str:
    """`indigo_plant**`."""
    return key + "*" * colonists


# Laying a position over an opening


def _lay(opening: Game, position: Position) -> Game:
    seats = len(opening.players)
    _check_keys(position.players, range(seats), "/players")
    _check_keys(position.roles_taken, opening.role_doubloons, "/roles_taken")
    if position.governor >= seats:
        raise PositionRefused("There is no such seat.", "/governor")
    taken = in_turn_order(position.roles_taken, position.governor, seats)
    game = replace(
        opening,
        players=[
            _lay_player(player, position.players.get(seat, PlayerPosition()), f"/players/{seat}")
            for seat, player in enumerate(opening.players)
        ],
        supply=_lay_supply(opening.supply, position.supply),
        plantations=_lay_plantations(opening.plantations, position.plantations),
        cargo_ships=_lay_ships(opening.cargo_ships, position.cargo_ships),
        trading_house=_named(position.trading_house, opening.trading_house),
        role_doubloons=_lay_numbers(
            opening.role_doubloons, position.role_doubloons, "/role_doubloons"
        ),
        round=position.round,
        governor=position.governor,
        roles_taken=taken,
        end_trigger=_lay_trigger(position),
    )
    turn = _named(position.turn, game.next_to_choose())
    if turn != game.next_to_choose():
        raise PositionRefused("It does not fit the governor and the roles taken.", "/turn")
    return replace(game, awaiting=[Asked(turn, Decision.CHOOSE_ROLE, game.version)])


def _named(value: T | None, otherwise: T) -> T:
    return otherwise if value is None else value


def _check_keys(named: Iterable[T], known: Container[T], pointer: str) -> None:
    for key in named:
        if key not in known:
            raise PositionRefused("This is not part of the game.", f"{pointer}/{key}")


def _lay_numbers(laid: dict[T, int], named: dict[T, int], pointer: str) -> dict[T, int]:
    """Numbers over numbers; none of what is not part of the game may be named."""
    _check_keys([key for key, number in named.items() if number], laid, pointer)
    return {key: named.get(key, number) for key, number in laid.items()}


def in_turn_order(taken: dict[Role, int], governor: int, seats: int) -> dict[Role, int]:
    """The roles in the order in which they were taken, which must fit the governor."""
    left, ordered = dict(taken), dict[Role, int]()
    for step in range(len(taken)):
        seat = (governor + step) % seats
        role = next((role for role, taker in left.items() if taker == seat), None)
        if role is None:
            raise PositionRefused(f"Seat {seat} must have taken one.", "/roles_taken")
        ordered[role] = left.pop(role)
    return ordered


def _lay_player(player: Player, named: PlayerPosition, pointer: str) -> Player:
    island, city = player.island, player.city
    if named.island is not None:
        island = [Space(*word) for word in _words(named.island, Tile, f"{pointer}/island")]
    if named.city is not None:
        words = _words(named.city, BuildingKey, f"{pointer}/city")
        city = dict(words)
        if len(city) < len(words):
            raise PositionRefused("A building is owned once.", f"{pointer}/city")
    return Player(
        doubloons=_named(named.doubloons, player.doubloons),
        island=island,
        city=city,
        goods={**player.goods, **named.goods},
        victory_points=_named(named.victory_points, player.victory_points),
        san_juan=_named(named.san_juan, player.san_juan),
    )


def _words(words: Words, kind: type[T], pointer: str) -> list[tuple[T, int]]:
    """`corn*` as the tile and its colonists; likewise a building."""
    read: list[tuple[T, int]] = []
    for index, word in enumerate(words):
        name = word.rstrip("*")
        try:
            read.append((convert(name, kind), len(word) - len(name)))
        except ValidationError:
            raise PositionRefused(f"{name} is not known.", f"{pointer}/{index}") from None
    return read


def _lay_supply(supply: Supply, named: SupplyPosition) -> Supply:
    return Supply(
        colonists=_named(named.colonists, supply.colonists),
        colonist_ship=_named(named.colonist_ship, supply.colonist_ship),
        victory_points=_named(named.victory_points, supply.victory_points),
        quarries=_named(named.quarries, supply.quarries),
        goods={**supply.goods, **named.goods},
        buildings=_lay_numbers(supply.buildings, named.buildings, "/supply/buildings"),
    )


def _lay_plantations(plantations: Plantations, named: PlantationsPosition) -> Plantations:
    return Plantations(
        face_up=_named(named.face_up, plantations.face_up),
        face_down=pile(_named(named.face_down, plantations.face_down)),
        discards=pile(_named(named.discards, plantations.discards)),
    )


def pile(tiles: dict[Tile, int]) -> dict[Tile, int]:
    """Only the kinds that are there: the engine takes a kind named for one that can be drawn."""
    return {tile: count for tile, count in tiles.items() if count}


def _lay_ships(
    ships: list[CargoShip], named: list[ShipPosition] | dict[int, ShipPosition] | None
) -> list[CargoShip]:
    if isinstance(named, list):
        return [_lay_ship(ships, index, ship) for index, ship in enumerate(named)]
    differing = named or {}
    _check_keys(differing, range(len(ships)), "/cargo_ships")
    return [
        _lay_ship(ships, index, differing[index]) if index in differing else ship
        for index, ship in enumerate(ships)
    ]


def _lay_ship(ships: list[CargoShip], index: int, named: ShipPosition) -> CargoShip:
    capacity = named.capacity
    if capacity is None:
        _check_keys([index], range(len(ships)), "/cargo_ships")
        capacity = ships[index].capacity
    empty = named.loaded == 0
    return CargoShip(capacity, None if empty else named.good, named.loaded or 0)


def _lay_trigger(position: Position) -> EndTrigger | None:
    trigger = position.end_trigger
    if trigger is None:
        return None
    return EndTrigger(trigger.reason, _named(trigger.round, position.round))
