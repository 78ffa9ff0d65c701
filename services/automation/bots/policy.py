"""A quick answer to every decision, no move being tried: how a search expects all to play."""

from collections.abc import Callable
from random import Random

from services.automation.bots import arranging, goods, growing, roles
from services.automation.bots.appeal import Appeal
from services.automation.bots.moves import moves
from shared.engine import Game
from shared.engine.commands import Command, MoveGuests
from shared.engine.vocabulary import Decision


def answer(game: Game, seat: int) -> Command:
    """What this seat, which is awaited, would quickly do."""
    choices = considered(game, seat)
    return choices[0] if len(choices) == 1 else max(choices, key=appeal_of(game, seat))


def considered(game: Game, seat: int) -> list[Command]:
    """The moves worth a thought: one arrangement of colonists; guests move when asked for."""
    decision = _decision(game, seat)
    if decision is Decision.PLACE_COLONISTS:
        return [arranging.by_use(game, seat)]
    choices = moves(game, seat)
    if decision is Decision.MOVE_GUESTS:
        return choices
    return [command for command in choices if not isinstance(command, MoveGuests)]


def without_thought(game: Game, seat: int, random: Random) -> Command | None:
    """The only choice; or any of the draft's, whose set is common to all."""
    choices = considered(game, seat)
    if len(choices) == 1 or _decision(game, seat) is Decision.CHOOSE_BUILDING:
        return random.choice(choices)
    return None


def appeal_of(game: Game, seat: int) -> Appeal:
    """How much each move is worth to this seat, which is awaited."""
    return APPEALS[_decision(game, seat)](game, seat)


def _decision(game: Game, seat: int) -> Decision:
    asked = game.asked(seat)
    assert asked is not None
    return asked.decision


APPEALS: dict[Decision, Callable[[Game, int], Appeal]] = {
    Decision.CHOOSE_ROLE: roles.of_role,
    Decision.TAKE_PLANTATION: growing.of_tile,
    Decision.PLACE_DRAWN_PLANTATION: growing.of_tile,
    Decision.BUILD: growing.of_building,
    Decision.TAKE_EXTRA_GOOD: goods.of_extra,
    Decision.SELL_GOOD: goods.of_sale,
    Decision.LOAD_GOODS: goods.of_load,
    Decision.STORE_GOODS: goods.of_store,
    Decision.MOVE_GUESTS: growing.of_guests,
}
"""Of colonists only one arrangement is considered, and a draft takes no thought."""
