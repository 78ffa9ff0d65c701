"""One module per role, and storage: all with the same five functions."""

from typing import Protocol

from shared.engine.buildings.base import Building
from shared.engine.commands import Command
from shared.engine.errors import RuleViolation
from shared.engine.memory import (
    Arranging,
    Constructing,
    Crafting,
    Loading,
    PhaseMemory,
    Prospecting,
    Settling,
    Storing,
    Trading,
)
from shared.engine.phases import (
    builder,
    captain,
    craftsman,
    mayor,
    prospector,
    settler,
    storage,
    trader,
)
from shared.engine.state import Game
from shared.engine.turn import Turn


class Asker(Protocol):
    """Who asks a seat for a decision: it offers commands, checks the answer and does it."""

    def options(self, game: Game, seat: int) -> list[Command]:
        """The commands that can be listed, besides passing, for a seat in its turn."""

    def why_not_pass(self, game: Game, seat: int) -> type[RuleViolation] | None:
        """Why a seat in its turn may not pass."""

    def handle(self, turn: Turn, seat: int, command: Command) -> None:
        """Check and do what the seat asked wants, and ask the next; raises RuleViolation first."""


class Phase(Asker, Protocol):
    """What is asked of a phase: each answer leads to the next decision, until the phase ends."""

    def begin(self, turn: Turn) -> None:
        """What happens once the guests at its start have moved, up to the first decision."""

    def resume(self, turn: Turn, seat: int, occupied: list[Building]) -> None:
        """The seat moved guests in its own turn, onto these buildings too: it may be over."""


PHASES: dict[type[PhaseMemory], Phase] = {
    Settling: settler,
    Arranging: mayor,
    Constructing: builder,
    Crafting: craftsman,
    Trading: trader,
    Loading: captain,
    Storing: storage,
    Prospecting: prospector,
}


def current(game: Game) -> Phase:
    """The phase being played."""
    assert game.phase is not None
    return PHASES[type(game.phase)]
