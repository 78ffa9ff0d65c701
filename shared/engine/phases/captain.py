"""Captain: goods are loaded, round and round, until nobody loads. Rules 4.6."""

from collections.abc import Iterator

from shared.engine.buildings.base import Building, PrivateShip
from shared.engine.commands import Command, LoadAssorted, LoadGoods, Pass
from shared.engine.errors import (
    AnotherShipTakesMore,
    AssortedShipNotUsable,
    GoodNotHeld,
    GoodOnAnotherShip,
    MustLoad,
    NoSuchShip,
    OtherDecision,
    PrivateShipUsed,
    RuleViolation,
    ShipFull,
    ShipHoldsAnotherGood,
    WrongBarrels,
)
from shared.engine.events import (
    DoubloonsGained,
    GoodsLoaded,
    GoodsShipped,
    LoadingEnded,
    TurnPassed,
)
from shared.engine.flow import (
    ask,
    ask_guests,
    check_points,
    gain_points,
    privilege_factor,
    skip,
)
from shared.engine.memory import Loading
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import BuildingKey, Decision, Good, Moment, Source

LOAD = Decision.LOAD_GOODS


def begin(turn: Turn) -> None:
    game, captain = turn.game, _memory(turn.game).taker
    income = game.answers(game.players[captain], Building.doubloons_as_captain)
    for key, doubloons in income.items():
        turn.record(DoubloonsGained(captain, key, doubloons))
    _next(turn, captain)


def options(game: Game, seat: int) -> list[Command]:
    """Loads on cargo ships and by private ships of one kind; assorted loads are not listed."""
    found: list[Command] = [*cargo_loads(game, seat)]
    for key, ship in private_ships(game, seat).items():
        if not ship.assorted:
            goods = game.players[seat].goods
            found += [LoadGoods(good, key) for good, barrels in goods.items() if barrels]
    return found


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return None if next(cargo_loads(game, seat), None) is None else MustLoad


def handle(turn: Turn, seat: int, command: Command) -> None:
    match command:
        case LoadGoods(good=good, ship=int(ship)):
            _load(turn, seat, good, ship)
        case LoadGoods(good=good, ship=BuildingKey() as ship):
            _ship(turn, seat, ship, {good: turn.game.players[seat].goods[good]})
        case LoadAssorted(goods=goods):
            _ship(turn, seat, None, goods)
        case Pass():
            turn.record(TurnPassed(seat, LOAD))
        case _:
            raise OtherDecision
    _next(turn, _clockwise(turn.game, seat))


def resume(turn: Turn, seat: int, occupied: list[Building]) -> None:
    """Guests moved during a first turn, before a load, still count for it (Rules 8.2)."""
    if seat not in _memory(turn.game).had_turn:
        _arrive(turn, seat, occupied)
    if not has_turn(turn.game, seat):
        skip(turn, [seat], LOAD)
        _next(turn, _clockwise(turn.game, seat))


def has_turn(game: Game, seat: int) -> bool:
    player = game.players[seat]
    if next(cargo_loads(game, seat), None) is not None:
        return True
    if private_ships(game, seat) and any(player.goods.values()):
        return True
    return game.movable_guests(player) > 0


# Questions, in rulebook order


def cargo_loads(game: Game, seat: int) -> Iterator[LoadGoods]:
    """The loads on cargo ships that this seat can make: while there is one, it must load."""
    for good, barrels in game.players[seat].goods.items():
        if barrels:
            for ship in ships_for(game, good, barrels):
                yield LoadGoods(good, ship)


def ships_for(game: Game, good: Good, barrels: int) -> list[int]:
    """Where so many barrels may go: the ship of this kind, else the empty ones that take most."""
    empty: dict[int, int] = {}
    for index, ship in enumerate(game.cargo_ships):
        if ship.good is good:
            return [index] if ship.room() else []
        if ship.good is None:
            empty[index] = ship.capacity
    most = min(barrels, max(empty.values(), default=0))
    return [index for index, capacity in empty.items() if capacity >= most]


def why_not_load(game: Game, seat: int, good: Good, index: int) -> type[RuleViolation] | None:
    """Why this seat may not load this kind on this ship."""
    barrels, ships = game.players[seat].goods[good], game.cargo_ships
    if not barrels:
        return GoodNotHeld
    if not 0 <= index < len(ships):
        return NoSuchShip
    if index in ships_for(game, good, barrels):
        return None
    if (carried := ships[index].good) is not None:
        return ShipFull if carried is good else ShipHoldsAnotherGood
    return GoodOnAnotherShip if good in [ship.good for ship in ships] else AnotherShipTakesMore


def private_ships(game: Game, seat: int) -> dict[BuildingKey, PrivateShip]:
    """The private ships that this seat has not yet used in this phase."""
    ships = game.answers(game.players[seat], Building.private_ship)
    if not ships:
        return {}
    used = _memory(game).private_ships_used.get(seat, ())
    return {key: ship for key, ship in ships.items() if ship and key not in used}


def may_ship_assorted(game: Game, seat: int) -> bool:
    """Whether this seat has a private ship for any barrels, and barrels."""
    assorted = [ship.assorted for ship in private_ships(game, seat).values()]
    return any(assorted) and any(game.players[seat].goods.values())


# What happens


def _load(turn: Turn, seat: int, good: Good, index: int) -> None:
    if (violation := why_not_load(turn.game, seat, good, index)) is not None:
        raise violation
    barrels = min(turn.game.players[seat].goods[good], turn.game.cargo_ships[index].room())
    left = turn.game.supply.victory_points
    turn.record(GoodsLoaded(seat, index, good, barrels, points=barrels))
    _after_load(turn, seat, left)


def _ship(turn: Turn, seat: int, key: BuildingKey | None, goods: dict[Good, int]) -> None:
    """Barrels go to the supply by the ship named, or by the one for assorted barrels."""
    key, ship = _private_ship(turn.game, seat, key)
    held = turn.game.players[seat].goods
    if any(not 0 <= barrels <= held[good] for good, barrels in goods.items()):
        raise WrongBarrels
    if not any(goods.values()):
        raise WrongBarrels if ship.assorted else GoodNotHeld
    most = ship.capacity or sum(goods.values())
    goods = {good: min(barrels, most) for good, barrels in goods.items() if barrels}
    left = turn.game.supply.victory_points
    points = sum(goods.values()) // ship.barrels_per_point
    turn.record(GoodsShipped(seat, key, goods, points))
    _after_load(turn, seat, left)


def _private_ship(
    game: Game, seat: int, key: BuildingKey | None
) -> tuple[BuildingKey, PrivateShip]:
    """The ship of one kind with this name, or (None) the ship for assorted barrels."""
    assorted = key is None
    for owned, ship in game.answers(game.players[seat], Building.private_ship).items():
        if ship is not None and key == (None if ship.assorted else owned):
            if owned not in private_ships(game, seat):
                raise AssortedShipNotUsable if assorted else PrivateShipUsed
            return owned, ship
    raise AssortedShipNotUsable if assorted else NoSuchShip


def _after_load(turn: Turn, seat: int, points_left: int) -> None:
    """The captain's privilege on his first load; what buildings pay for each load."""
    game, phase = turn.game, _memory(turn.game)
    check_points(turn, points_left)
    if seat == phase.taker and not phase.privilege_used:
        gain_points(turn, seat, Source.PRIVILEGE, privilege_factor(game, seat))
    player = game.players[seat]
    for building in game.answering(player, Building.points_per_load, Building.doubloons_per_load):
        gain_points(turn, seat, building.key, building.points_per_load())
        if doubloons := building.doubloons_per_load():
            turn.record(DoubloonsGained(seat, building.key, doubloons))


def _arrive(turn: Turn, seat: int, buildings: list[Building]) -> None:
    """At a seat's first turn, before any load."""
    for building in buildings:
        points = building.points_on_arrival(turn.game.players[seat].goods)
        gain_points(turn, seat, building.key, points)


def _next(turn: Turn, seat: int) -> None:
    """Ask from this seat on; as many turns in a row without a load as there are players end it."""
    game, phase = turn.game, _memory(turn.game)
    skipped: list[int] = []
    while phase.idle_turns + len(skipped) < len(game.players):
        if seat not in phase.had_turn and seat not in skipped:
            _arrive(turn, seat, game.answering(game.players[seat], Building.points_on_arrival))
        if has_turn(game, seat):
            skip(turn, skipped, LOAD)
            ask(turn, seat, LOAD)
            return
        skipped.append(seat)
        seat = _clockwise(game, seat)
    skip(turn, skipped, LOAD)
    turn.record(LoadingEnded())
    ask_guests(turn, Moment.BEFORE_STORAGE, phase.taker)


def _clockwise(game: Game, seat: int) -> int:
    return (seat + 1) % len(game.players)


def _memory(game: Game) -> Loading:
    assert isinstance(game.phase, Loading)
    return game.phase
