"""Opponents: each answers with the move of an awaited seat, shown only what that seat may know."""

from collections.abc import Callable
from random import Random

from services.automation.bots import greedy, planner, random_play
from services.automation.bots.seen import read_seen, seen_by
from shared.engine import Game
from shared.engine.commands import Command

__all__ = ["BOTS", "Bot", "answer", "read_seen", "seen_by"]

Bot = Callable[[Game, int, Random], Command]
"""Game, seat, and its own chance: the same three give the same move."""

BOTS: dict[str, Bot] = {
    "random": random_play.choose,
    "greedy": greedy.choose,
    "planner": planner.choose,
}


def answer(bot: Bot, game: Game, seat: int, random: Random) -> Command:
    """The bot's move; the game is left unchanged, and what the seat may not know is taken out."""
    return bot(seen_by(game, seat), seat, random)
