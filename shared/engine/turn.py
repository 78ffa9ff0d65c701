"""A turn being worked out: a draft of the game and the events so far."""

from collections.abc import Callable

from msgspec import Struct

from shared.engine.events import Event
from shared.engine.evolve import evolve
from shared.engine.state import Game

Draw = Callable[[int, int], int]
"""Draw number k among n: a number from 0 to n - 1 (docs/fair-draws.md)."""


class ChanceNeeded(Exception):
    """Raised by the draw of a preview: what happens next is chance."""


def no_chance(number: int, among: int) -> int:
    """A draw for previews, which stop before chance."""
    raise ChanceNeeded


class Turn(Struct):
    """Events are applied as they are recorded: the next sentence sees the last one's effect."""

    game: Game
    draw: Draw
    events: list[Event] = []

    def record(self, event: Event) -> None:
        self.events.append(event)
        evolve(self.game, event)
