"""Which role to take: a quick estimate of what it gives to its taker and to the others. Rules 4."""

from collections.abc import Callable
from typing import NamedTuple

from services.automation.bots.appeal import Appeal
from services.automation.bots.outlook import SHIPPED, cycles_left, doubloon_worth
from shared.engine import Game
from shared.engine.commands import ChooseRole, Command
from shared.engine.phases import craftsman
from shared.engine.phases.trader import PRICES
from shared.engine.state import CITY_SPACES, TRADING_HOUSE_SPACES, Player
from shared.engine.vocabulary import Good, Role, Tile

TILE = 1.0
"""Points for a tile; one choice of many, or a quarry, is better."""
COLONIST = 0.35
"""Points for a colonist who finds work."""
BUDGET = 0.25
"""Points for each doubloon that can be spent on a building."""
EXTRA = 0.5
"""Points for the craftsman's own good."""
RIVALS = 1.0
"""What the others' average gain counts against one's own."""


def of_role(game: Game, seat: int) -> Appeal:
    """What the taker gains more than the others do on average."""
    doubloon = doubloon_worth(cycles_left(game))
    clockwise = list(enumerate(game.seats_from(seat)))

    def appeal(command: Command) -> float:
        if not isinstance(command, ChooseRole):
            return 0.0
        gain = GAINS[command.role]
        own, *others = [gain(Part(game, other, place, doubloon)) for place, other in clockwise]
        lying = doubloon * game.role_doubloons[command.role]
        return lying + own - RIVALS * sum(others) / len(others)

    return appeal


class Part(NamedTuple):
    """A seat's part in a phase."""

    game: Game
    seat: int
    place: int
    """Places after the taker; 0 is the taker himself."""
    doubloon: float

    @property
    def player(self) -> Player:
        return self.game.players[self.seat]

    @property
    def takes(self) -> bool:
        return self.place == 0


Gain = Callable[[Part], float]
"""What a seat gains by a phase, in points."""


def _settler(part: Part) -> float:
    game, player = part.game, part.player
    if not player.free_island_spaces():
        return 0.0
    tile = TILE * min(1.0, 2 * part.doubloon)
    quarry = part.takes and game.supply.quarries > 0 and player.count(Tile.QUARRY) < 3
    return tile * (1.3 if quarry else 1.0 - 0.06 * part.place)


def _mayor(part: Part) -> float:
    game, player, count = part.game, part.player, len(part.game.players)
    ship = game.supply.colonist_ship
    new = ship // count + (part.place < ship % count) + (part.takes and game.supply.colonists > 0)
    empty = game.circles(player) - player.colonists() + player.san_juan
    return COLONIST * min(new + player.san_juan, empty) + 0.05 * new


def _builder(part: Part) -> float:
    game, player = part.game, part.player
    spaces = CITY_SPACES - game.city_spaces(player)
    if not spaces:
        return 0.0
    budget = player.doubloons + min(3, player.occupied(Tile.QUARRY)) + part.takes
    return BUDGET * min(budget, 10 if spaces > 1 else 6) + 0.5 * (budget >= 10)


def _craftsman(part: Part) -> float:
    barrels = craftsman.production(part.game, part.seat)
    active = part.game.active(part.player)
    pay = sum(building.production_income(barrels) for building in active)
    extra = EXTRA if part.takes and barrels else 0.0
    return SHIPPED * sum(barrels.values()) + part.doubloon * pay + extra


def _trader(part: Part) -> float:
    game, player = part.game, part.player
    if len(game.trading_house) + part.place >= TRADING_HOUSE_SPACES:
        return 0.0
    active = game.active(player)
    twice = any(building.may_sell_duplicate() for building in active)
    prices = [
        PRICES[good]
        for good, barrels in player.goods.items()
        if barrels and (twice or good not in game.trading_house)
    ]
    if not prices:
        return 0.0
    price = max(prices) + sum(building.sale_bonus() for building in active) + part.takes
    return max(0.0, part.doubloon * price - SHIPPED) * (1 - 0.1 * part.place)


def _captain(part: Part) -> float:
    game, player = part.game, part.player
    loaded = [min(n, _room(game, good)) for good, n in player.goods.items()]
    active = game.active(player)
    each = sum(building.points_per_load() for building in active)
    kinds = sum(1 for barrels in loaded if barrels)
    own_ship = any(building.private_ship() is not None for building in active)
    held = _most(player) if own_ship else 0
    share = 1.0 if part.takes else 0.85
    gain = share * (1 - SHIPPED / 2) * sum(loaded) + kinds * each + held / 2
    return gain + (part.takes and bool(kinds))


def _most(player: Player) -> int:
    return max(player.goods.values())


def _room(game: Game, good: Good) -> int:
    for ship in game.cargo_ships:
        if ship.good is good:
            return ship.room()
    return max((ship.room() for ship in game.cargo_ships if ship.good is None), default=0)


def _prospector(part: Part) -> float:
    return part.doubloon if part.takes else 0.0


GAINS: dict[Role, Gain] = {
    Role.SETTLER: _settler,
    Role.MAYOR: _mayor,
    Role.BUILDER: _builder,
    Role.CRAFTSMAN: _craftsman,
    Role.TRADER: _trader,
    Role.CAPTAIN: _captain,
    Role.PROSPECTOR: _prospector,
    Role.PROSPECTOR_2: _prospector,
}
