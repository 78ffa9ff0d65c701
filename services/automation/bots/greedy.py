"""Sensible one-move play: each move is tried on a copy, the phase played out, the result judged."""

from random import Random

from services.automation.bots import policy
from services.automation.bots.outlook import standings
from shared.engine import Draw, Game, play
from shared.engine.commands import Command


def choose(game: Game, seat: int, random: Random) -> Command:
    if (command := policy.without_thought(game, seat, random)) is not None:
        return command
    seed = random.getrandbits(32)
    choices = policy.considered(game, seat)
    return max(choices, key=lambda command: outcome(game, seat, command, Random(seed)))


def outcome(game: Game, seat: int, command: Command, random: Random) -> float:
    """What the position after the phase is worth to the seat, if everybody answers quickly."""
    tried, draw = game.clone(), imagined(random)
    play(tried, seat, command, draw)
    while tried.phase is not None:
        asked = tried.awaiting[0]
        play(tried, asked.seat, policy.answer(tried, asked.seat), draw)
    return standings(tried)[seat]


def imagined(random: Random) -> Draw:
    """Draws of the bot's own: it knows what lies face down, not in which order."""
    return lambda _number, among: random.randrange(among)
