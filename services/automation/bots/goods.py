"""Which good to take, sell, load and keep. Rules 4.4 to 4.6."""

from services.automation.bots.appeal import Appeal
from services.automation.bots.outlook import SHIPPED, cycles_left, doubloon_worth
from shared.engine import Game
from shared.engine.commands import (
    Command,
    LoadAssorted,
    LoadGoods,
    SellGood,
    StoreGoods,
    TakeExtraGood,
)
from shared.engine.memory import Loading
from shared.engine.phases import captain, storage, trader
from shared.engine.phases.trader import PRICES
from shared.engine.vocabulary import BuildingKey, Good

DEAR = 0.15
"""Points per doubloon of its price that a barrel is worth beyond its place on a ship."""


def _value(good: Good) -> float:
    """What a barrel in hand is worth."""
    return SHIPPED + DEAR * PRICES[good]


def of_extra(game: Game, seat: int) -> Appeal:
    """The dearest; a second barrel of a kind less than a first."""
    held = game.players[seat].goods

    def appeal(command: Command) -> float:
        if not isinstance(command, TakeExtraGood):
            return 0.0
        return _value(command.good) - DEAR * min(2, held[command.good])

    return appeal


def of_sale(game: Game, seat: int) -> Appeal:
    doubloon = doubloon_worth(cycles_left(game))

    def appeal(command: Command) -> float:
        if not isinstance(command, SellGood):
            return 0.0
        price = trader.sale_price(game, seat, command.good, command.to)
        return doubloon * price - SHIPPED

    return appeal


def of_load(game: Game, seat: int) -> Appeal:
    """Its points; a private ship is for what finds no room on the cargo ships."""
    held = game.players[seat].goods
    extra, loads = _points_a_load(game, seat), captain.cargo_loads(game, seat)
    room = {load.good: game.cargo_ships[int(load.ship)].room() for load in loads}

    def appeal(command: Command) -> float:
        match command:
            case LoadGoods(good=good, ship=int(ship)):
                barrels = min(held[good], game.cargo_ships[ship].room())
                return extra + barrels - DEAR * PRICES[good]
            case LoadGoods(good=good, ship=BuildingKey()):
                return extra + held[good] - min(held[good], room.get(good, 0)) - DEAR * PRICES[good]
            case LoadAssorted(goods=goods):
                elsewhere = sum(min(n, room.get(good, 0)) for good, n in goods.items())
                spoils = sum(goods.values()) - elsewhere
                return extra + sum(goods.values()) // 2 - elsewhere - spoils * DEAR
            case _:
                return 0.0

    return appeal


def _points_a_load(game: Game, seat: int) -> float:
    assert isinstance(game.phase, Loading)
    active = game.active(game.players[seat])
    privilege = seat == game.phase.taker and not game.phase.privilege_used
    doubloon = doubloon_worth(cycles_left(game))
    return privilege + sum(
        building.points_per_load() + doubloon * building.doubloons_per_load() for building in active
    )


def of_store(game: Game, seat: int) -> Appeal:
    held = game.players[seat].goods

    def appeal(command: Command) -> float:
        if not isinstance(command, StoreGoods):
            return 0.0
        return sum(_value(good) * n for good, n in storage.kept(command, held).items())

    return appeal
