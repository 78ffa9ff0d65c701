"""Mayor: colonists are handed out and everybody arranges his. Rules 4.2."""

from shared.engine.buildings.base import Building
from shared.engine.commands import Command, PlaceColonists
from shared.engine.errors import (
    CirclesLeftEmpty,
    MayNotPass,
    OtherDecision,
    RuleViolation,
    WrongArrangement,
)
from shared.engine.events import (
    ColonistsDealt,
    ColonistShipFilled,
    ColonistsPlaced,
    ColonistsTaken,
)
from shared.engine.flow import end_phase, privilege_factor, settle_or_ask, trigger_end
from shared.engine.memory import Arranging
from shared.engine.state import CIRCLES, Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import BuildingKey, Decision, EndReason

PLACE = Decision.PLACE_COLONISTS


def begin(turn: Turn) -> None:
    _take_privilege(turn)
    _deal(turn)
    _next(turn, None)


def options(game: Game, seat: int) -> list[Command]:
    """Arrangements are many: they are not listed (open_moves.Arrangement)."""
    return []


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return MayNotPass


def handle(turn: Turn, seat: int, command: Command) -> None:
    if not isinstance(command, PlaceColonists):
        raise OtherDecision
    san_juan = _left_over(turn.game, seat, command)
    city = {key: colonists for key, colonists in command.city.items() if colonists}
    turn.record(ColonistsPlaced(seat, command.island, city, san_juan, asked=True))
    _next(turn, seat)


def resume(turn: Turn, seat: int, occupied: list[Building]) -> None:
    raise AssertionError("no guest moves in the mayor phase")


def island_circles(game: Game, seat: int) -> tuple[int, ...]:
    """Circles per tile, in the order of the tiles."""
    return tuple([CIRCLES[space.tile] for space in game.players[seat].island])


def city_circles(game: Game, seat: int) -> dict[BuildingKey, int]:
    """Circles per building."""
    catalog = game.catalog
    return {key: catalog[key].circles for key in game.players[seat].city}


def _take_privilege(turn: Turn) -> None:
    game = turn.game
    assert isinstance(game.phase, Arranging)
    mayor = game.phase.taker
    factor = privilege_factor(game, mayor)
    colonists = min(factor, game.supply.colonists)
    if colonists and not game.phase.privilege_declined:
        turn.record(ColonistsTaken(mayor, colonists))


def _deal(turn: Turn) -> None:
    """The ship's colonists are dealt one at a time, the mayor first."""
    game = turn.game
    assert game.phase is not None
    count, ship = len(game.players), game.supply.colonist_ship
    each, further = divmod(ship, count)
    dealt = [each] * count
    for seat in game.seats_from(game.phase.taker)[:further]:
        dealt[seat] += 1
    turn.record(ColonistsDealt(tuple(dealt)))


def _next(turn: Turn, after: int | None) -> None:
    if not settle_or_ask(turn, after, PLACE, _settle):
        _fill_ship(turn)
        end_phase(turn)


def _settle(turn: Turn, seat: int) -> bool:
    """Place a seat's colonists if there is only one way to."""
    game = turn.game
    colonists = game.players[seat].colonists()
    if not colonists:
        return True
    island, city = island_circles(game, seat), city_circles(game, seat)
    places = [circles for circles in (*island, *city.values()) if circles]
    if colonists < sum(places) and len(places) > 1:
        return False
    filled = tuple([min(circles, colonists) for circles in island])
    staffed = {key: min(circles, colonists) for key, circles in city.items() if circles}
    san_juan = colonists - sum(filled) - sum(staffed.values())
    turn.record(ColonistsPlaced(seat, filled, staffed, san_juan, asked=False))
    return True


def _left_over(game: Game, seat: int, command: PlaceColonists) -> int:
    """How many colonists go to San Juan; raises if the others may not be placed like this."""
    island, circles = island_circles(game, seat), city_circles(game, seat)
    if len(command.island) != len(island):
        raise WrongArrangement(f"Your island has {len(island)} tiles; name a number for each.")
    for colonists, most in zip(command.island, island, strict=True):
        if not 0 <= colonists <= most:
            raise WrongArrangement("A tile takes one colonist, a forest none.")
    for key, colonists in command.city.items():
        if not 0 <= colonists <= circles.get(key, 0):
            most = circles.get(key, 0)
            raise WrongArrangement(f"Your city has {most} circles on {key}, not {colonists}.")
    placed = sum(command.island) + sum(command.city.values())
    available = game.players[seat].colonists()
    if placed > available:
        raise WrongArrangement(f"You have {available} colonists, not {placed}.")
    if placed < available and placed < sum(island) + sum(circles.values()):
        raise CirclesLeftEmpty
    return available - placed


def _fill_ship(turn: Turn) -> None:
    """One colonist per empty circle on buildings, at least one per player; too few end the game."""
    game = turn.game
    empty = sum([game.empty_city_circles(player) for player in game.players])
    wanted = max(empty, len(game.players))
    colonists = min(wanted, game.supply.colonists)
    turn.record(ColonistShipFilled(colonists, wanted))
    if colonists < wanted:
        trigger_end(turn, EndReason.COLONISTS)
