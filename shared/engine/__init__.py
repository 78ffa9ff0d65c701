"""The rules of the game: pure, typed, no I/O. docs/rules.md is what it follows.

`decide(game, seat, command, draw)` answers events or raises a RuleViolation; `evolve(game, event)`
is the only writer of state. `legal(game, seat)` asks the same questions, so what is offered is
what is accepted.
"""

from shared.engine.decide import begin, check_options, decide, legal, play, preview, set_up
from shared.engine.errors import RuleViolation
from shared.engine.evolve import evolve
from shared.engine.setup import opening
from shared.engine.state import Game
from shared.engine.turn import ChanceNeeded, Draw, Turn

__all__ = [
    "ChanceNeeded",
    "Draw",
    "Game",
    "RuleViolation",
    "Turn",
    "begin",
    "check_options",
    "decide",
    "evolve",
    "legal",
    "opening",
    "play",
    "preview",
    "set_up",
]
