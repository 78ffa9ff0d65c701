"""Any move, each as likely as the others."""

from random import Random

from services.automation.bots import arranging
from services.automation.bots.moves import moves
from shared.engine import Game
from shared.engine.commands import Command
from shared.engine.vocabulary import Decision


def choose(game: Game, seat: int, random: Random) -> Command:
    asked = game.asked(seat)
    if asked is not None and asked.decision is Decision.PLACE_COLONISTS:
        return arranging.at_random(game, seat, random)
    return random.choice(moves(game, seat))
