"""The only writer of state: one small function per event, no rules, no chance, no refusals."""

from collections.abc import Callable
from typing import TypeVar

from shared.engine import events as e
from shared.engine.memory import (
    Arranging,
    Constructing,
    Crafting,
    Loading,
    PhaseMemory,
    Prospecting,
    Settling,
    Storing,
    Trading,
)
from shared.engine.setup import open_supply
from shared.engine.state import Asked, EndTrigger, Game, Player, Space, Window
from shared.engine.vocabulary import (
    SAN_JUAN,
    BuildingKey,
    ColonistSource,
    Decision,
    Good,
    Role,
    Source,
    Tile,
)

MEMORY: dict[Role, type[PhaseMemory]] = {
    Role.SETTLER: Settling,
    Role.MAYOR: Arranging,
    Role.BUILDER: Constructing,
    Role.CRAFTSMAN: Crafting,
    Role.TRADER: Trading,
    Role.CAPTAIN: Loading,
    Role.PROSPECTOR: Prospecting,
    Role.PROSPECTOR_2: Prospecting,
}

LOAD_GOODS, TAKE_PLANTATION = Decision.LOAD_GOODS, Decision.TAKE_PLANTATION

E = TypeVar("E", bound=e.Event)
APPLY: dict[type[e.Event], Callable[[Game, e.Event], None]] = {}
"""One entry per event but GameSetUp, which makes the game (tests/architecture/test_engine.py)."""


def evolve(game: Game, event: e.Event) -> None:
    """Apply one event to the game."""
    game.version += 1
    APPLY[type(event)](game, event)


def _on(kind: type[E]) -> Callable[[Callable[[Game, E], None]], Callable[[Game, E], None]]:
    def register(function: Callable[[Game, E], None]) -> Callable[[Game, E], None]:
        APPLY[kind] = function  # type: ignore[assignment]  # each is called with its own kind only
        return function

    return register


# Draft, rounds, decisions


@_on(e.BuildingDrafted)
def _building_drafted(game: Game, event: e.BuildingDrafted) -> None:
    assert game.drafted is not None
    game.drafted.append(event.building)
    _answered(game, event.seat)


@_on(e.DraftEnded)
def _draft_ended(game: Game, event: e.DraftEnded) -> None:
    assert game.drafted is not None
    open_supply(game, game.drafted)
    game.drafted = None


@_on(e.RoundBegan)
def _round_began(game: Game, event: e.RoundBegan) -> None:
    game.round, game.governor = event.round, event.governor


@_on(e.DecisionAsked)
def _decision_asked(game: Game, event: e.DecisionAsked) -> None:
    asked, awaiting = Asked(event.seat, event.decision, game.version), game.awaiting
    for other in awaiting:
        if other.seat == event.seat:  # asked again: it keeps its place
            awaiting[awaiting.index(other)] = asked
            return
    awaiting.append(asked)


@_on(e.TurnsSkipped)
def _turns_skipped(game: Game, event: e.TurnsSkipped) -> None:
    for seat in event.seats:
        _turn_without_effect(game, seat, event.decision)


@_on(e.TurnPassed)
def _turn_passed(game: Game, event: e.TurnPassed) -> None:
    _turn_without_effect(game, event.seat, event.decision)


@_on(e.RoleChosen)
def _role_chosen(game: Game, event: e.RoleChosen) -> None:
    game.roles_taken[event.role] = event.seat
    game.role_doubloons[event.role] = 0
    game.players[event.seat].doubloons += event.doubloons
    game.phase = MEMORY[event.role](event.role, event.seat)
    _answered(game, event.seat)


@_on(e.PhaseEnded)
def _phase_ended(game: Game, event: e.PhaseEnded) -> None:
    game.phase = None


@_on(e.RoundEnded)
def _round_ended(game: Game, event: e.RoundEnded) -> None:
    for role in event.doubloons_on:
        game.role_doubloons[role] += 1
    game.roles_taken = {}
    for player in game.players:
        player.doubled = None


@_on(e.EndTriggered)
def _end_triggered(game: Game, event: e.EndTriggered) -> None:
    game.end_trigger = EndTrigger(event.reason, event.round)


@_on(e.GameEnded)
def _game_ended(game: Game, event: e.GameEnded) -> None:
    game.scores, game.winners = event.scores, event.winners


# Gains


@_on(e.DoubloonsGained)
def _doubloons_gained(game: Game, event: e.DoubloonsGained) -> None:
    game.players[event.seat].doubloons += event.doubloons


@_on(e.PointsGained)
def _points_gained(game: Game, event: e.PointsGained) -> None:
    _gain_points(game, event.seat, event.points)
    if event.source == Source.PRIVILEGE and isinstance(game.phase, Loading):
        game.phase.privilege_used = True


@_on(e.ColonistGained)
def _colonist_gained(game: Game, event: e.ColonistGained) -> None:
    if event.origin is ColonistSource.SUPPLY:
        game.supply.colonists -= 1
    else:
        game.supply.colonist_ship -= 1
    _move_colonist(game.players[event.seat], event.to, 1)


@_on(e.PrivilegeDoubled)
def _privilege_doubled(game: Game, event: e.PrivilegeDoubled) -> None:
    game.players[event.seat].doubled = event.role


# Settler


@_on(e.TileTaken)
def _tile_taken(game: Game, event: e.TileTaken) -> None:
    if event.tile is Tile.QUARRY:
        game.supply.quarries -= 1
    else:
        game.plantations.face_up.remove(event.tile)
    _place_tile(game, event.seat, event.tile, as_forest=event.as_forest)
    _memory(game, Settling).drew = False
    _answered(game, event.seat)


@_on(e.PlantationDrawn)
def _plantation_drawn(game: Game, event: e.PlantationDrawn) -> None:
    _take(game.plantations.face_down, event.tile)
    phase = _memory(game, Settling)
    phase.drew, phase.drawn = True, event.tile
    game.draws += 1
    _answered(game, event.seat)


@_on(e.DrawnPlantationPlaced)
def _drawn_plantation_placed(game: Game, event: e.DrawnPlantationPlaced) -> None:
    _place_tile(game, event.seat, event.tile, as_forest=event.as_forest)
    _memory(game, Settling).drawn = None
    _answered(game, event.seat)


@_on(e.LeftoverOffered)
def _leftover_offered(game: Game, event: e.LeftoverOffered) -> None:
    _memory(game, Settling).leftover = True


@_on(e.PlantationsDiscarded)
def _plantations_discarded(game: Game, event: e.PlantationsDiscarded) -> None:
    discards = game.plantations.discards
    for tile in event.tiles:
        game.plantations.face_up.remove(tile)
        discards[tile] = discards.get(tile, 0) + 1


@_on(e.DiscardsShuffled)
def _discards_shuffled(game: Game, event: e.DiscardsShuffled) -> None:
    game.plantations.face_down, game.plantations.discards = dict(event.tiles), {}


@_on(e.PlantationsTurnedUp)
def _plantations_turned_up(game: Game, event: e.PlantationsTurnedUp) -> None:
    for tile in event.tiles:
        _take(game.plantations.face_down, tile)
        game.plantations.face_up.append(tile)
    game.draws += len(event.tiles)


# Mayor


@_on(e.ColonistsTaken)
def _colonists_taken(game: Game, event: e.ColonistsTaken) -> None:
    game.supply.colonists -= event.colonists
    game.players[event.seat].san_juan += event.colonists


@_on(e.PrivilegeDeclined)
def _privilege_declined(game: Game, event: e.PrivilegeDeclined) -> None:
    _memory(game, Arranging).privilege_declined = True


@_on(e.ColonistsDealt)
def _colonists_dealt(game: Game, event: e.ColonistsDealt) -> None:
    for player, colonists in zip(game.players, event.colonists, strict=True):
        player.san_juan += colonists
        game.supply.colonist_ship -= colonists


@_on(e.ColonistsPlaced)
def _colonists_placed(game: Game, event: e.ColonistsPlaced) -> None:
    player = game.players[event.seat]
    for space, colonists in zip(player.island, event.island, strict=True):
        space.colonists = colonists
    player.city = {building: event.city.get(building, 0) for building in player.city}
    player.san_juan = event.san_juan
    _answered(game, event.seat)


@_on(e.ColonistShipFilled)
def _colonist_ship_filled(game: Game, event: e.ColonistShipFilled) -> None:
    game.supply.colonists -= event.colonists
    game.supply.colonist_ship += event.colonists


# Builder


@_on(e.ExchangeMade)
def _exchange_made(game: Game, event: e.ExchangeMade) -> None:
    player = game.players[event.seat]
    if event.colonist is not None:
        _move_colonist(player, event.colonist, -1)
        game.supply.colonists += 1
    if event.good is not None:
        _goods_to_supply(game, event.seat, event.good, 1)
    player.victory_points -= event.victory_points
    game.supply.victory_points += event.victory_points


@_on(e.BuildingBuilt)
def _building_built(game: Game, event: e.BuildingBuilt) -> None:
    player = game.players[event.seat]
    player.doubloons -= event.price
    player.city[event.building] = 0
    game.supply.buildings[event.building] -= 1
    _answered(game, event.seat)


# Craftsman


@_on(e.GoodsProduced)
def _goods_produced(game: Game, event: e.GoodsProduced) -> None:
    held, supply = game.players[event.seat].goods, game.supply.goods
    for good, barrels in event.goods.items():
        supply[good] -= barrels
        held[good] += barrels
    _memory(game, Crafting).produced[event.seat] = dict(event.goods)


@_on(e.ExtraGoodTaken)
def _extra_good_taken(game: Game, event: e.ExtraGoodTaken) -> None:
    _goods_from_supply(game, event.seat, event.good, 1)
    _memory(game, Crafting).extra_taken += 1
    _answered(game, event.seat)


# Trader


@_on(e.GoodSold)
def _good_sold(game: Game, event: e.GoodSold) -> None:
    player = game.players[event.seat]
    player.doubloons += event.doubloons
    if event.to is None:
        player.goods[event.good] -= 1
        game.trading_house.append(event.good)
    else:
        _goods_to_supply(game, event.seat, event.good, 1)
    _answered(game, event.seat)


@_on(e.TradingHouseEmptied)
def _trading_house_emptied(game: Game, event: e.TradingHouseEmptied) -> None:
    for good in event.goods:
        game.supply.goods[good] += 1
    game.trading_house = []


# Captain


@_on(e.GoodsLoaded)
def _goods_loaded(game: Game, event: e.GoodsLoaded) -> None:
    ship = game.cargo_ships[event.ship]
    ship.good = event.good
    ship.loaded += event.barrels
    game.players[event.seat].goods[event.good] -= event.barrels
    _loaded(game, event.seat, event.points)


@_on(e.GoodsShipped)
def _goods_shipped(game: Game, event: e.GoodsShipped) -> None:
    for good, barrels in event.goods.items():
        _goods_to_supply(game, event.seat, good, barrels)
    used = _memory(game, Loading).private_ships_used
    used.setdefault(event.seat, []).append(event.building)
    _loaded(game, event.seat, event.points)


@_on(e.LoadingEnded)
def _loading_ended(game: Game, event: e.LoadingEnded) -> None:
    phase = _memory(game, Loading)
    game.phase = Storing(phase.role, phase.taker)


@_on(e.GoodsStored)
def _goods_stored(game: Game, event: e.GoodsStored) -> None:
    for good, barrels in event.discarded.items():
        _goods_to_supply(game, event.seat, good, barrels)
    _answered(game, event.seat)


@_on(e.CargoShipsEmptied)
def _cargo_ships_emptied(game: Game, event: e.CargoShipsEmptied) -> None:
    for index in event.ships:
        ship = game.cargo_ships[index]
        assert ship.good is not None
        game.supply.goods[ship.good] += ship.loaded
        ship.good, ship.loaded = None, 0


# Guests


@_on(e.GuestsAsked)
def _guests_asked(game: Game, event: e.GuestsAsked) -> None:
    game.window = Window(event.moment, event.first)


@_on(e.GuestsMoved)
def _guests_moved(game: Game, event: e.GuestsMoved) -> None:
    player = game.players[event.seat]
    for place in event.to:
        player.city[event.source] -= 1
        _move_colonist(player, place, 1)


@_on(e.GuestsSettled)
def _guests_settled(game: Game, event: e.GuestsSettled) -> None:
    game.window = None


# Parts that several events share

P = TypeVar("P", bound=PhaseMemory)


def _memory(game: Game, kind: type[P]) -> P:
    assert isinstance(game.phase, kind)
    return game.phase


def _answered(game: Game, seat: int) -> None:
    awaiting = game.awaiting
    for asked in awaiting:
        if asked.seat == seat:
            awaiting.remove(asked)
            return


def _turn_without_effect(game: Game, seat: int, decision: Decision) -> None:
    _answered(game, seat)
    phase = game.phase
    if isinstance(phase, Loading) and decision is LOAD_GOODS:
        phase.idle_turns += 1
        _had_turn(phase, seat)
    elif isinstance(phase, Settling) and decision is TAKE_PLANTATION:
        phase.drew = False


def _had_turn(phase: Loading, seat: int) -> None:
    if seat not in phase.had_turn:
        phase.had_turn.append(seat)


def _loaded(game: Game, seat: int, points: int) -> None:
    _gain_points(game, seat, points)
    phase = _memory(game, Loading)
    phase.idle_turns = 0
    _had_turn(phase, seat)
    _answered(game, seat)


def _gain_points(game: Game, seat: int, points: int) -> None:
    game.players[seat].victory_points += points
    game.supply.victory_points = max(0, game.supply.victory_points - points)


def _goods_from_supply(game: Game, seat: int, good: Good, barrels: int) -> None:
    game.supply.goods[good] -= barrels
    game.players[seat].goods[good] += barrels


def _goods_to_supply(game: Game, seat: int, good: Good, barrels: int) -> None:
    _goods_from_supply(game, seat, good, -barrels)


def _place_tile(game: Game, seat: int, tile: Tile, *, as_forest: bool) -> None:
    game.players[seat].island.append(Space(Tile.FOREST if as_forest else tile))


def _move_colonist(player: Player, place: int | str, number: int) -> None:
    """Add (or, at -1, take) a colonist at an island index, a building or San Juan."""
    if isinstance(place, int):
        player.island[place].colonists += number
    elif place == SAN_JUAN:
        player.san_juan += number
    else:
        player.city[BuildingKey(place)] += number


def _take(stack: dict[Tile, int], tile: Tile) -> None:
    stack[tile] -= 1
    if not stack[tile]:
        del stack[tile]
