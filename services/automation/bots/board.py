"""What a player's island and city will yield: barrels, points and doubloons a cycle.

A cycle is the time in which each role is played about once. The constants are estimates of
experienced play, in points; docs/bots.md has what they achieve.
"""

from collections.abc import Iterable
from typing import NamedTuple

from shared.engine import Game
from shared.engine.buildings.base import Building
from shared.engine.phases.trader import PRICES
from shared.engine.state import CITY_SPACES, Player
from shared.engine.vocabulary import GOOD_OF_TILE, BuildingKey, Good, Tile

BARREL = 0.65
"""Points for a barrel produced: most are shipped, some spoil."""
SALE = 0.7
"""How often a cycle the dearest good is sold."""
LOADS = 0.8
"""How often a cycle each kind is loaded; of more than three kinds some find no ship."""
OWN_SHIP = 0.15
"""Points that a ship of one's own adds to each barrel, and to each kind twice as much."""
KIND_KEPT = 0.15
BARREL_KEPT = 0.06
"""Points a cycle for each kind, each barrel that can be stored."""
HALF_A_PAIR = 0.2
"""What a plantation without its building, or the reverse, is worth of a barrel."""
BUILDINGS_A_CYCLE = 0.85
COLONISTS_A_CYCLE = 1.3

STEADY = {
    BuildingKey.HACIENDA: 0.2,
    BuildingKey.CONSTRUCTION_HUT: 0.2,
    BuildingKey.HOSPICE: 0.25,
    BuildingKey.OFFICE: 0.2,
    BuildingKey.UNIVERSITY: 0.25,
    BuildingKey.FOREST_HOUSE: 0.15,
    BuildingKey.BLACK_MARKET: 0.3,
    BuildingKey.GUESTHOUSE: 0.35,
    BuildingKey.TRADING_POST: 0.5,
    BuildingKey.CHURCH: 0.6,
    BuildingKey.LIBRARY: 0.7,
}
"""Points a cycle of the buildings whose use depends little on the rest of the board."""

Barrels = dict[Good, int]
NONE: Barrels = dict.fromkeys(Good, 0)


class Harvest(NamedTuple):
    """What a craftsman phase brings a player if the supply lasts."""

    now: Barrels
    """With the colonists as they are."""
    later: Barrels
    """With a colonist on every circle."""
    halves: float
    """Plantations and circles that lack their counterpart, dear goods counting more."""


def harvest(game: Game, player: Player) -> Harvest:
    tiles, tended = NONE.copy(), NONE.copy()
    for space in player.island:
        if (grown := GOOD_OF_TILE.get(space.tile)) is not None:
            tiles[grown] += 1
            tended[grown] += space.colonists
    circles, manned = NONE.copy(), NONE.copy()
    catalog = game.catalog
    for key, colonists in player.city.items():
        building = catalog[key]
        if (made := building.produces) is not None:
            circles[made] += building.circles
            manned[made] += colonists
    circles[Good.CORN], manned[Good.CORN] = tiles[Good.CORN], tended[Good.CORN]
    halves = sum(
        min(2, abs(n - circles[good])) * (0.7 + PRICES[good] / 10) for good, n in tiles.items()
    )
    return Harvest(_matched(tended, manned), _matched(tiles, circles), halves)


def _matched(tiles: Barrels, circles: Barrels) -> Barrels:
    return {good: min(n, circles[good]) for good, n in tiles.items() if n and circles[good]}


def income(
    game: Game, player: Player, working: Iterable[Building], barrels: Barrels, doubloon: float
) -> float:
    """Points a cycle from producing, selling and shipping this with these violet buildings."""
    total, kinds = sum(barrels.values()), len(barrels)
    loads = LOADS * min(kinds, 3)
    value = BARREL * total
    price = max((PRICES[good] for good in barrels), default=0)
    for building in working:
        price += building.sale_bonus() if barrels else 0
        value += BARREL * len(building.extra_goods(barrels, player, game))
        value += doubloon * building.production_income(barrels)
        value += loads * (building.points_per_load() + doubloon * building.doubloons_per_load())
        value += LOADS * building.points_on_arrival(barrels)
        if (ship := building.private_ship()) is not None:
            value += OWN_SHIP * (total + 2 * kinds) / ship.barrels_per_point
        storage = building.storage()
        value += min(0.05 * total, KIND_KEPT * storage.kinds + BARREL_KEPT * storage.barrels)
    return value + doubloon * SALE * price


def yields(game: Game, player: Player, cycles: float, doubloon: float) -> float:
    """Points that the board brings until the end."""
    crop = harvest(game, player)
    catalog = game.catalog
    violet = [catalog[key] for key in player.city if catalog[key].is_violet]
    working = [building for building in violet if player.city[building.key]]
    now, later = min(cycles, 1.0), max(cycles - 1.0, 0.0)
    value = now * income(game, player, working, crop.now, doubloon)
    staffed = later * staffing(game, player, cycles)
    value += staffed * income(game, player, violet, crop.later, doubloon)
    value += later * BARREL * HALF_A_PAIR * crop.halves
    value += later * sum(STEADY.get(key, 0.0) for key in player.city)
    return value + savings(game, player, cycles, doubloon)


def staffing(game: Game, player: Player, cycles: float) -> float:
    """The share of the circles that will have a colonist on average."""
    circles = game.circles(player)
    return min(1.0, (player.colonists() + COLONISTS_A_CYCLE * cycles / 2) / max(1, circles))


def savings(game: Game, player: Player, cycles: float, doubloon: float) -> float:
    """What quarries and forests will take off prices."""
    tended = player.occupied(Tile.QUARRY)
    quarries = min(3.0, tended + 0.7 * (player.count(Tile.QUARRY) - tended))
    spaces = CITY_SPACES - game.city_spaces(player)
    builds = min(BUILDINGS_A_CYCLE * cycles, spaces)
    return doubloon * builds * (0.85 * quarries + 0.5 * player.count(Tile.FOREST))
