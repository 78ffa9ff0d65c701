"""Craftsman: everybody produces, then the craftsman takes one more good. Rules 4.4."""

from shared.engine.buildings.base import Building
from shared.engine.commands import Command, Pass, TakeExtraGood
from shared.engine.errors import (
    GoodNotProduced,
    NoneInSupply,
    OtherDecision,
    RuleViolation,
)
from shared.engine.events import DoubloonsGained, ExtraGoodTaken, GoodsProduced, TurnPassed
from shared.engine.flow import ask, end_phase, privilege_factor, seats_after, skip
from shared.engine.memory import Crafting
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import ALL_GOODS, TILE_OF_GOOD, Decision, Good, Tile

EXTRA = Decision.TAKE_EXTRA_GOOD
CORN = Good.CORN


def begin(turn: Turn) -> None:
    for seat in seats_after(turn.game, None):
        _produce(turn, seat)
    craftsman = _memory(turn.game).taker
    if has_turn(turn.game, craftsman):
        ask(turn, craftsman, EXTRA)
    else:
        skip(turn, [craftsman], EXTRA)
        end_phase(turn)


def options(game: Game, seat: int) -> list[Command]:
    return [TakeExtraGood(good) for good in ALL_GOODS if why_not_extra(game, seat, good) is None]


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return None


def handle(turn: Turn, seat: int, command: Command) -> None:
    match command:
        case TakeExtraGood(good=good):
            if (violation := why_not_extra(turn.game, seat, good)) is not None:
                raise violation
            turn.record(ExtraGoodTaken(seat, good))
        case Pass():
            turn.record(TurnPassed(seat, EXTRA))
            end_phase(turn)
            return
        case _:
            raise OtherDecision
    if options(turn.game, seat):
        ask(turn, seat, EXTRA)
    else:
        end_phase(turn)


def resume(turn: Turn, seat: int, occupied: list[Building]) -> None:
    if not has_turn(turn.game, seat):
        skip(turn, [seat], EXTRA)
        end_phase(turn)


def has_turn(game: Game, seat: int) -> bool:
    return bool(options(game, seat)) or game.movable_guests(game.players[seat]) > 0


def production(game: Game, seat: int) -> dict[Good, int]:
    """What this seat produces: corn on its fields, the rest as far as its buildings match them."""
    player, supply, made = game.players[seat], game.supply.goods, {}
    grown: dict[Tile, int] = {}
    for space in player.island:
        if space.colonists:
            grown[space.tile] = grown.get(space.tile, 0) + 1
    for good, tile in TILE_OF_GOOD.items():
        if tile in grown:
            most = grown[tile] if good is CORN else min(grown[tile], game.capacity(player, good))
            if barrels := min(most, supply[good]):
                made[good] = barrels
    return made


def why_not_extra(game: Game, seat: int, good: Good) -> type[RuleViolation] | None:
    """Why the craftsman may not take one more of this good."""
    phase = _memory(game)
    if not phase.produced.get(seat, {}).get(good):
        return GoodNotProduced
    if phase.extra_taken >= privilege_factor(game, seat):
        return OtherDecision
    return None if game.supply.goods[good] else NoneInSupply


def _produce(turn: Turn, seat: int) -> None:
    game, player = turn.game, turn.game.players[seat]
    goods = production(game, seat)
    if not goods:
        return
    active = game.answering(player, Building.extra_goods, Building.production_income)
    for good in [g for building in active for g in building.extra_goods(goods, player, game)]:
        if game.supply.goods[good] > goods[good]:
            goods[good] += 1
    turn.record(GoodsProduced(seat, goods))
    for building in active:
        if doubloons := building.production_income(goods):
            turn.record(DoubloonsGained(seat, building.key, doubloons))


def _memory(game: Game) -> Crafting:
    assert isinstance(game.phase, Crafting)
    return game.phase
