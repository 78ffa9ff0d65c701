"""The moves of a seat as a list: open arguments are filled in, in all ways worth a thought."""

from collections.abc import Iterator
from itertools import product

from shared.engine import Game, legal
from shared.engine.commands import (
    Build,
    Command,
    Exchange,
    Guest,
    LoadAssorted,
    MoveGuests,
    PlaceDrawnPlantation,
    TakePlantation,
)
from shared.engine.open_moves import (
    Arrangement,
    AssortedLoad,
    ExchangeBuild,
    GuestMoves,
    OpenMove,
    open_moves,
)
from shared.engine.phases.settler import may_plant_forest
from shared.engine.vocabulary import Tile


def moves(game: Game, seat: int) -> list[Command]:
    """What this seat, which is awaited, may do; of an arrangement of colonists only one example."""
    found: list[Command] = []
    for command in legal(game, seat):
        found.append(command)
        found += _as_forest(game, seat, command)
    for move in open_moves(game, seat):
        found += filled(move)
    return found


def filled(move: OpenMove) -> Iterator[Command]:
    """The move with arguments."""
    match move:
        case Arrangement():
            yield move.example
        case AssortedLoad():
            yield from _assorted(move)
        case GuestMoves():
            yield from _guests(move)
        case ExchangeBuild():
            yield from _exchanges(move)


def _as_forest(game: Game, seat: int, command: Command) -> Iterator[Command]:
    match command:
        case TakePlantation(tile=tile) if tile is not Tile.QUARRY and may_plant_forest(game, seat):
            yield TakePlantation(tile, as_forest=True)
        case PlaceDrawnPlantation():
            yield PlaceDrawnPlantation(as_forest=True)
        case _:
            pass


def _assorted(move: AssortedLoad) -> Iterator[Command]:
    """Everything; everything but one kind; one kind alone."""
    holds = [move.goods]
    if len(move.goods) > 1:
        holds += [{g: n for g, n in move.goods.items() if g is not spared} for spared in move.goods]
    holds += [{good: n} for good, n in move.goods.items() if len(move.goods) > 2]
    for goods in holds:
        yield LoadAssorted(goods)


def _guests(move: GuestMoves) -> Iterator[Command]:
    """One guest; or two, to a plantation and a building that need each other."""
    yield from (MoveGuests((Guest(place),)) for place in move.island)
    yield from (MoveGuests((Guest(place),)) for place in move.city_circles)
    if move.guests > 1:
        for tile, building in product(move.island, move.city_circles):
            yield MoveGuests((Guest(tile), Guest(building)))


def _exchanges(move: ExchangeBuild) -> Iterator[Command]:
    for colonist, good, point in product(
        (None, *move.colonists), (None, *move.goods), sorted({False, move.victory_point})
    ):
        exchange = Exchange(colonist, good, point)
        if exchange.worth() == move.missing:
            yield Build(move.building, exchange=exchange)
