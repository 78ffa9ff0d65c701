"""Sensible one-move play: a role by estimate; any other move is tried and its phase played out.

(Trying the roles too plays worse: what a phase leaves behind depends on who takes the next role.)
"""

from random import Random

from services.automation.bots import policy
from services.automation.bots.outlook import standings
from services.automation.bots.seen import imagined
from shared.engine import Game, play
from shared.engine.commands import Command
from shared.engine.vocabulary import Decision


def choose(game: Game, seat: int, random: Random) -> Command:
    if (command := policy.without_thought(game, seat, random)) is not None:
        return command
    asked = game.asked(seat)
    if asked is not None and asked.decision is Decision.CHOOSE_ROLE:
        return policy.answer(game, seat)
    seed, choices = random.getrandbits(32), policy.considered(game, seat)
    return max(choices, key=lambda command: _outcome(game, seat, command, Random(seed)))


def _outcome(game: Game, seat: int, command: Command, random: Random) -> float:
    """What the position after the phase is worth to the seat, if everybody answers quickly."""
    tried, draw = game.clone(), imagined(random)
    play(tried, seat, command, draw)
    while tried.phase is not None:
        asked = tried.awaiting[0]
        play(tried, asked.seat, policy.answer(tried, asked.seat), draw)
    return standings(tried)[seat]
