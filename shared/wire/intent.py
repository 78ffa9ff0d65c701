"""The move behind events: what the seat must have wanted, for what is stored is what came of it.

A guess is made from the first event and tried on the rules; of optional flags those are set that
make a difference. So what is found does what the events say, by the rules of today.
"""

from collections.abc import Iterator, Sequence

from shared.engine import Game, RuleViolation, Turn, evolve, legal, play
from shared.engine import events as e
from shared.engine.commands import (
    Build,
    ChooseBuilding,
    ChooseRole,
    Command,
    DrawPlantation,
    Exchange,
    Guest,
    LoadAssorted,
    LoadGoods,
    MoveGuests,
    Pass,
    PlaceColonists,
    PlaceDrawnPlantation,
    SellGood,
    StoreGoods,
    TakeExtraGood,
    TakePlantation,
)
from shared.engine.phases import storage
from shared.wire.named_draws import CannotBeDrawn, NamedDraws, tiles_drawn


class NoSuchMove(Exception):
    """By the rules of today no move does what these events say."""


def moves_behind(game: Game, events: Sequence[e.Event]) -> Iterator[tuple[int, Command, int]]:
    """The moves that did all this, mostly one: seat, move, and how many events are its own.

    The game is played on. Raises NoSuchMove.
    """
    while events:
        seat, command, turn = _first_move(game, events)
        for event in turn.events:
            evolve(game, event)
        yield seat, command, len(turn.events)
        events = events[len(turn.events) :]


def _first_move(game: Game, events: Sequence[e.Event]) -> tuple[int, Command, Turn]:
    drawn = tiles_drawn(events)
    for seat, command in _guesses(game, events):
        tried = game.clone()
        try:
            turn = play(tried, seat, command, NamedDraws(tried, drawn))
        except (RuleViolation, CannotBeDrawn):
            continue
        if turn.events == list(events[: len(turn.events)]):
            return seat, command, turn
    raise NoSuchMove(f"by the rules of today no move does this: {events[0]}")


def _guesses(  # noqa: C901, PLR0912 (a row for each event that a move begins with)
    game: Game, events: Sequence[e.Event]
) -> Iterator[tuple[int, Command]]:
    """The moves that begin with such events, the plain ones first."""
    first, *others = events
    match first:
        case e.BuildingDrafted(seat=seat, building=building):
            yield seat, ChooseBuilding(building)
        case e.RoleChosen(seat=seat, role=role):
            yield seat, ChooseRole(role)
            yield seat, ChooseRole(role, decline_privilege=True)
        case e.TileTaken(seat=seat, tile=tile, as_forest=forest):
            yield seat, TakePlantation(tile, as_forest=forest)
            yield seat, TakePlantation(tile, decline_hospice=True, as_forest=forest)
        case e.DiscardsShuffled():
            yield from _guesses(game, others)
        case e.PlantationDrawn(seat=seat):
            yield seat, DrawPlantation()
        case e.DrawnPlantationPlaced(seat=seat, as_forest=forest):
            yield seat, PlaceDrawnPlantation(forest)
        case e.ColonistsPlaced(seat=seat, island=island, city=city):
            yield seat, PlaceColonists(island, city)
        case e.ExchangeMade() | e.BuildingBuilt():
            yield from _builds(events)
        case e.ExtraGoodTaken(seat=seat, good=good):
            yield seat, TakeExtraGood(good)
        case e.GoodSold(seat=seat, good=good, to=to):
            yield seat, SellGood(good, to)
        case e.GoodsLoaded(seat=seat, good=good, ship=ship):
            yield seat, LoadGoods(good, ship)
        case e.GoodsShipped(seat=seat, goods=goods, building=building):
            yield from ((seat, LoadGoods(good, building)) for good in goods)
            yield seat, LoadAssorted(goods)
        case e.GoodsStored(seat=seat, kept=kept):
            yield from ((seat, command) for command in _storing(game, seat, kept))
        case e.GuestsMoved(seat=seat, to=to):
            yield seat, MoveGuests(tuple(map(Guest, to)))
        case e.TurnPassed(seat=seat):
            yield seat, Pass()
        case _:
            return


def _builds(events: Sequence[e.Event]) -> Iterator[tuple[int, Command]]:
    exchange = None
    for event in events:
        match event:
            case e.ExchangeMade(colonist=colonist, good=good, victory_points=points):
                exchange = Exchange(colonist, good, bool(points))
            case e.BuildingBuilt(seat=seat, building=building):
                yield seat, Build(building, exchange=exchange)
                yield seat, Build(building, decline_university=True, exchange=exchange)
                return
            case _:
                return


def _storing(game: Game, seat: int, kept: storage.Barrels) -> Iterator[StoreGoods]:
    """The ways to keep just these barrels."""
    held = game.players[seat].goods
    for command in legal(game, seat):
        if isinstance(command, StoreGoods) and storage.kept(command, held) == kept:
            yield command
