"""What a position is worth to a seat: the points it may expect at the end, against its rivals'."""

from services.automation.bots.board import BUILDINGS_A_CYCLE, yields
from shared.engine import Game
from shared.engine.phases.trader import PRICES
from shared.engine.state import CITY_SPACES, Player

COLONISTS_A_SHIP = 2.5
"""By how many the colonist ship holds more than one per player, on average."""
DOUBLOON = 0.75
"""Points that a doubloon brings while there are builders enough to come."""
BARRELS_A_TILE = 0.75
"""Barrels that reach a ship a cycle per tile with a colonist."""
SHIPPED = 0.4
"""Points for a barrel held: it may spoil or find no ship."""


def cycles_left(game: Game) -> float:
    """How often each role will still be played: until the nearest of the three ends (Rules 5)."""
    roles = game.roles_a_round() - len(game.roles_taken)
    this_round = roles / len(game.role_doubloons)
    if game.end_trigger is not None:
        return this_round
    players, supply = game.players, game.supply
    colonists = supply.colonists / (len(players) + COLONISTS_A_SHIP)
    tended = sum(space.colonists for player in players for space in player.island)
    points = supply.victory_points / (BARRELS_A_TILE * tended + len(players))
    built = max(game.city_spaces(player) for player in players)
    cities = (CITY_SPACES - built) / BUILDINGS_A_CYCLE
    return this_round + min(colonists, points, cities)


def standings(game: Game) -> list[float]:
    """By seat, expected points less those of the rivals, of whom the best counts most."""
    if game.is_over:
        expected = [score.total + score.tie_break / 100 for score in game.scores]
    else:
        cycles = cycles_left(game)
        expected = [worth(game, player, cycles) for player in game.players]
    return [_lead(expected, seat) for seat in range(len(expected))]


def _lead(expected: list[float], seat: int) -> float:
    rivals = expected[:seat] + expected[seat + 1 :]
    return expected[seat] - (max(rivals) + sum(rivals) / len(rivals)) / 2


def worth(game: Game, player: Player, cycles: float) -> float:
    """The points this player may expect at the end."""
    doubloon = doubloon_worth(cycles)
    value = float(player.victory_points)
    for key, colonists in player.city.items():
        building = game.catalog[key]
        value += building.points
        if building.spaces > 1:
            share = 1.0 if colonists else min(1.0, cycles)
            value += share * building.final_points(player, game)
    value += doubloon * min(player.doubloons, 6 + player.doubloons / 2)
    value += _goods(game, player, cycles, doubloon)
    return value + yields(game, player, cycles, doubloon)


def doubloon_worth(cycles: float) -> float:
    """Points for a doubloon: fewer as the builders to come grow few."""
    return 0.02 + DOUBLOON * min(1.0, cycles / 2.5)


def _goods(game: Game, player: Player, cycles: float, doubloon: float) -> float:
    """Barrels are shipped; the dearest that the trading house lacks may be sold."""
    chance = min(1.0, 1.5 * cycles)
    value, best = 0.0, 0.0
    for good, barrels in player.goods.items():
        if barrels:
            value += SHIPPED * barrels
            if good not in game.trading_house:
                best = max(best, PRICES[good] * doubloon / 2)
    return chance * (value + best)
