"""Trader: in turn order each player may sell one good. Rules 4.5."""

from collections.abc import Iterator

from shared.engine.buildings.base import Building
from shared.engine.commands import Command, Pass, SellGood
from shared.engine.errors import (
    GoodAlreadyTraded,
    GoodNotHeld,
    NoSuchMarket,
    OtherDecision,
    RuleViolation,
    TradingHouseFull,
)
from shared.engine.events import GoodSold, TradingHouseEmptied, TurnPassed
from shared.engine.flow import ask_next, end_phase, privilege_factor, skip
from shared.engine.state import TRADING_HOUSE_SPACES, Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import BuildingKey, Decision, Good

SELL = Decision.SELL_GOOD
PRICES = {Good.CORN: 0, Good.INDIGO: 1, Good.SUGAR: 2, Good.TOBACCO: 3, Good.COFFEE: 4}


def begin(turn: Turn) -> None:
    _next(turn, None)


def options(game: Game, seat: int) -> list[Command]:
    return [*sales(game, seat)]


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return None


def handle(turn: Turn, seat: int, command: Command) -> None:
    match command:
        case SellGood(good=good, to=to):
            if (violation := why_not_sell(turn.game, seat, good, to)) is not None:
                raise violation
            turn.record(GoodSold(seat, good, to, sale_price(turn.game, seat, good, to)))
        case Pass():
            turn.record(TurnPassed(seat, SELL))
        case _:
            raise OtherDecision
    _next(turn, seat)


def resume(turn: Turn, seat: int, occupied: list[Building]) -> None:
    if not has_turn(turn.game, seat):
        skip(turn, [seat], SELL)
        _next(turn, seat)


def has_turn(game: Game, seat: int) -> bool:
    """A full house ends the phase for all but who can, or with a guest could, sell elsewhere."""
    player = game.players[seat]
    if next(sales(game, seat), None) is not None:
        return True
    if not game.movable_guests(player):
        return False
    if not house_is_full(game):
        return True
    markets = game.answers_within_reach(player, Building.is_private_market)
    return bool(markets) and any(player.goods.values())


# Questions, in rulebook order


def sales(game: Game, seat: int) -> Iterator[SellGood]:
    """What this seat can sell, to the trading house and to markets of its own."""
    player = game.players[seat]
    for good, barrels in player.goods.items():
        if barrels:
            for to in (None, *game.answers(player, Building.is_private_market)):
                if why_not_sell(game, seat, good, to) is None:
                    yield SellGood(good, to)


def house_is_full(game: Game) -> bool:
    return len(game.trading_house) >= TRADING_HOUSE_SPACES


def why_not_sell(
    game: Game, seat: int, good: Good, to: BuildingKey | None
) -> type[RuleViolation] | None:
    """Why this seat may not sell this good there."""
    player = game.players[seat]
    if not player.goods[good]:
        return GoodNotHeld
    if to is not None:
        return None if to in game.answers(player, Building.is_private_market) else NoSuchMarket
    if house_is_full(game):
        return TradingHouseFull
    if good in game.trading_house and not game.answers(player, Building.may_sell_duplicate):
        return GoodAlreadyTraded
    return None


def sale_price(game: Game, seat: int, good: Good, to: BuildingKey | None) -> int:
    """Price, the trader's privilege, and in the trading house the markets' bonus."""
    assert game.phase is not None
    privilege = privilege_factor(game, seat) if seat == game.phase.taker else 0
    bonuses = game.answers(game.players[seat], Building.sale_bonus) if to is None else {}
    return PRICES[good] + privilege + sum(bonuses.values())


def _next(turn: Turn, after: int | None) -> None:
    if ask_next(turn, after, SELL, has_turn):
        return
    if house_is_full(turn.game):
        turn.record(TradingHouseEmptied(tuple(turn.game.trading_house)))
    end_phase(turn)
