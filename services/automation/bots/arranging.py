"""Where colonists go: in the mayor phase all of them, later the guests. Rules 4.2, 8.2."""

from collections.abc import Iterator
from random import Random

from services.automation.bots.board import BARREL, SALE, STEADY, harvest, income
from services.automation.bots.outlook import cycles_left, doubloon_worth
from shared.engine import Game
from shared.engine.buildings.base import Building
from shared.engine.commands import PlaceColonists
from shared.engine.phases.mayor import city_circles, island_circles
from shared.engine.phases.trader import PRICES
from shared.engine.vocabulary import GOOD_OF_TILE, BuildingKey, Good, Tile

Place = int | BuildingKey
"""An island index or a building."""

QUARRY = 0.75
"""Doubloons a cycle that a colonist on a quarry saves."""
NEW_KIND = 0.3
"""Points a cycle for producing one more kind: it finds a ship, and buyers."""
IDLE = 0.02
"""A circle without any use so far."""
ENDGAME = 1.0
"""Cycles left from which on what counts at the end must be occupied."""


def circles(game: Game, seat: int) -> list[Place]:
    """The places of this seat, one per circle."""
    places: list[Place] = [
        index for index, circle in enumerate(island_circles(game, seat)) if circle
    ]
    for key, count in city_circles(game, seat).items():
        places += [key] * count
    return places


def arranged(game: Game, seat: int, order: list[Place]) -> PlaceColonists:
    """The circles are filled in this order as far as the colonists go."""
    player = game.players[seat]
    chosen = order[: player.colonists()]
    island = tuple(chosen.count(index) for index in range(len(player.island)))
    return PlaceColonists(island, {key: chosen.count(key) for key in player.city})


def at_random(game: Game, seat: int, random: Random) -> PlaceColonists:
    order = circles(game, seat)
    random.shuffle(order)
    return arranged(game, seat, order)


def by_use(game: Game, seat: int) -> PlaceColonists:
    """The most useful circles first; a plantation and its building go together or not at all."""
    left, order = game.players[seat].colonists(), list[Place]()
    for _, places in sorted(_uses(game, seat), key=lambda use: -use[0]):
        if len(places) <= left:
            order += places
            left -= len(places)
    spare = circles(game, seat)
    for place in order:
        spare.remove(place)
    return arranged(game, seat, order + spare)


Use = tuple[float, list[Place]]
"""Points a cycle per colonist, and the circles that bring them together."""


def _uses(game: Game, seat: int) -> Iterator[Use]:
    player, cycles = game.players[seat], cycles_left(game)
    doubloon = doubloon_worth(cycles)
    for index, space in enumerate(player.island):
        if space.tile is Tile.CORN:
            yield BARREL, [index]
        elif space.tile is Tile.QUARRY:
            yield QUARRY * doubloon, [index]
    for good in list(Good)[1:]:
        yield from _pairs(game, seat, good, doubloon)
    later = harvest(game, player).later
    bare = income(game, player, (), later, doubloon)
    for key in player.city:
        building = game.catalog[key]
        if building.is_violet:
            use = income(game, player, (building,), later, doubloon) - bare
            use += STEADY.get(key, 0.0) + _at_the_end(game, seat, building, cycles)
            yield use / max(1, building.circles) + IDLE, [key] * building.circles


def _pairs(game: Game, seat: int, good: Good, doubloon: float) -> Iterator[Use]:
    """Plantations of this kind, each with a circle of a building for it."""
    player = game.players[seat]
    tiles = [
        index for index, space in enumerate(player.island) if GOOD_OF_TILE.get(space.tile) is good
    ]
    made_by: list[BuildingKey] = []
    for key in player.city:
        if game.catalog[key].produces is good:
            made_by += [key] * game.catalog[key].circles
    first = SALE * doubloon * PRICES[good] + NEW_KIND
    for tile, key in zip(tiles, made_by, strict=False):
        yield (BARREL + first) / 2, [tile, key]
        first = 0.0


def _at_the_end(game: Game, seat: int, building: Building, cycles: float) -> float:
    if cycles > ENDGAME:
        return 0.0
    return float(building.final_points(game.players[seat], game))
