"""Builder: in turn order each player may build one building. Rules 4.3."""

from collections.abc import Iterator

from shared.engine.buildings.base import Building
from shared.engine.commands import Build, Command, Exchange, Pass
from shared.engine.errors import (
    BuildingNotInSupply,
    BuildingOwned,
    CannotAfford,
    ExchangeNotAllowed,
    NoCitySpace,
    OtherDecision,
    RuleViolation,
)
from shared.engine.events import BuildingBuilt, ColonistGained, ExchangeMade, TurnPassed
from shared.engine.flow import (
    ask_next,
    end_phase,
    gain_points,
    privilege_factor,
    skip,
    trigger_end,
)
from shared.engine.state import CITY_SPACES, ISLAND_SPACES, Game, Player
from shared.engine.turn import Turn
from shared.engine.vocabulary import SAN_JUAN, BuildingKey, Decision, EndReason, Good, Tile

BUILD = Decision.BUILD
QUARRY, FOREST = Tile.QUARRY, Tile.FOREST
QUARRIES_COUNTED = tuple(
    tuple(min(n, column) for column in range(5)) for n in range(ISLAND_SPACES + 1)
)
"""Of so many occupied quarries those that lower a price: at most the building's column."""


def begin(turn: Turn) -> None:
    _next(turn, None)


def options(game: Game, seat: int) -> list[Command]:
    """What the doubloons pay for; the rest of what can be built is in `short_of`."""
    return [Build(key) for key, missing in _buildable(game, seat) if missing <= 0]


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return None


def handle(turn: Turn, seat: int, command: Command) -> None:
    match command:
        case Build():
            _build(turn, seat, command)
        case Pass():
            turn.record(TurnPassed(seat, BUILD))
        case _:
            raise OtherDecision
    _next(turn, seat)


def resume(turn: Turn, seat: int, occupied: list[Building]) -> None:
    if not has_turn(turn.game, seat):
        skip(turn, [seat], BUILD)
        _next(turn, seat)


def has_turn(game: Game, seat: int) -> bool:
    if next(_buildable(game, seat), None) is not None:
        return True
    return game.movable_guests(game.players[seat]) > 0


# Questions, in rulebook order


def why_not_place(
    game: Game, player: Player, building: Building, free_spaces: int
) -> type[RuleViolation] | None:
    """Why this building cannot be added to this city, whatever its price."""
    if not game.supply.buildings.get(building.key):
        return BuildingNotInSupply
    if building.key in player.city:
        return BuildingOwned
    return NoCitySpace if building.spaces > free_spaces else None


def price(game: Game, seat: int, key: BuildingKey) -> int:
    """What this building costs this seat now."""
    building, (discount, quarries) = game.catalog[key], _discounts(game, seat)
    return max(0, building.cost - discount - quarries[building.column])


def short_of(game: Game, seat: int) -> dict[BuildingKey, int]:
    """What this seat can build by giving things back only, and how many doubloons are missing."""
    return {key: missing for key, missing in _buildable(game, seat) if missing > 0}


def quarries_counted(player: Player, building: Building) -> int:
    """The quarries that lower this price."""
    return QUARRIES_COUNTED[player.occupied(QUARRY)][building.column]


def exchange_limit(game: Game, player: Player) -> int:
    """How many doubloons of a price this player may make up for by giving things back."""
    limits = game.answers(player, Building.exchange_limit)
    return max(limits.values()) if limits else 0


def exchangeable_colonists(game: Game, player: Player, building: Building) -> list[int | str]:
    """Where a colonist may be taken from to help pay for this building (Rules 8.2)."""
    counted = quarries_counted(player, building)
    spare_quarry = player.occupied(QUARRY) > counted
    places: list[int | str] = [SAN_JUAN] if player.san_juan else []
    for index, space in enumerate(player.island):
        if space.colonists and (space.tile is not QUARRY or spare_quarry):
            places.append(index)
    for owned, colonists in player.city.items():
        if colonists and not game.catalog[owned].exchange_limit():
            places.append(owned)
    return places


def exchangeable_goods(player: Player) -> list[Good]:
    """The goods of which one may be given back."""
    return [good for good, barrels in player.goods.items() if barrels]


def _buildable(game: Game, seat: int) -> Iterator[tuple[BuildingKey, int]]:
    """What this seat can build and, perhaps with an exchange, pay for; the doubloons missing."""
    player, catalog = game.players[seat], game.catalog
    discount, quarries = _discounts(game, seat)
    credit, limit = player.doubloons + discount, exchange_limit(game, player)
    dearest = credit + limit + quarries[-1]
    free_spaces = CITY_SPACES - game.city_spaces(player)
    for key in game.supply.buildings:
        building = catalog[key]
        if building.cost > dearest:
            continue
        missing = building.cost - quarries[building.column] - credit
        if missing > limit or why_not_place(game, player, building, free_spaces):
            continue
        if missing <= 0 or missing <= _exchange_worth(game, player, building):
            yield key, missing


def _discounts(game: Game, seat: int) -> tuple[int, tuple[int, ...]]:
    """Doubloons off every price, and those off for quarries, by column."""
    assert game.phase is not None
    player = game.players[seat]
    privilege = privilege_factor(game, seat) if seat == game.phase.taker else 0
    return privilege + player.count(FOREST) // 2, QUARRIES_COUNTED[player.occupied(QUARRY)]


def _exchange_worth(game: Game, player: Player, building: Building) -> int:
    """The doubloons that giving one of each makes up for when this building is bought."""
    colonist = bool(exchangeable_colonists(game, player, building))
    return colonist + bool(exchangeable_goods(player)) + (player.victory_points > 0)


def _check_exchange(game: Game, seat: int, command: Build, missing: int) -> None:
    """Something of each named must be there, and it must make up exactly for what is missing."""
    exchange, player = command.exchange or Exchange(), game.players[seat]
    if not exchange.worth():
        if missing <= 0:
            return
        cost = price(game, seat, command.building)
        raise CannotAfford(f"It costs you {cost} doubloons and you have {player.doubloons}.")
    if exchange.worth() != max(0, missing) or missing > exchange_limit(game, player):
        raise ExchangeNotAllowed
    colonists = exchangeable_colonists(game, player, game.catalog[command.building])
    if exchange.colonist is not None and exchange.colonist not in colonists:
        raise ExchangeNotAllowed("There is no colonist there that you may give.")
    if exchange.good is not None and not player.goods[exchange.good]:
        raise ExchangeNotAllowed(f"You have no {exchange.good} to give.")
    if exchange.victory_point and not player.victory_points:
        raise ExchangeNotAllowed("You have no victory point to give.")


# What happens


def _build(turn: Turn, seat: int, command: Build) -> None:
    game, player = turn.game, turn.game.players[seat]
    built, free_spaces = game.catalog[command.building], CITY_SPACES - game.city_spaces(player)
    if (violation := why_not_place(game, player, built, free_spaces)) is not None:
        raise violation
    cost = price(game, seat, command.building)
    _check_exchange(game, seat, command, cost - player.doubloons)
    if command.exchange is not None and command.exchange.worth():
        _exchange(turn, seat, command.exchange)
    turn.record(BuildingBuilt(seat, command.building, min(cost, player.doubloons)))
    for building in game.answering(player, Building.points_on_building):
        gain_points(turn, seat, building.key, building.points_on_building(built))
    if not command.decline_university:
        _staff(turn, seat, built)
    if game.city_spaces(player) >= CITY_SPACES:
        trigger_end(turn, EndReason.CITY)


def _exchange(turn: Turn, seat: int, exchange: Exchange) -> None:
    limits = turn.game.answers(turn.game.players[seat], Building.exchange_limit)
    source = next(iter(limits))
    turn.record(
        ExchangeMade(seat, source, exchange.colonist, exchange.good, int(exchange.victory_point))
    )


def _staff(turn: Turn, seat: int, built: Building) -> None:
    """One colonist for the new building; without a circle there it goes to San Juan."""
    game = turn.game
    for key in game.answers(game.players[seat], Building.staffs_new_building):
        if (origin := game.supply.colonist_source()) is not None:
            place = built.key if built.circles else SAN_JUAN
            turn.record(ColonistGained(seat, key, origin, place))


def _next(turn: Turn, after: int | None) -> None:
    if not ask_next(turn, after, BUILD, has_turn):
        end_phase(turn)
