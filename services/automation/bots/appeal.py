"""What the modules of a policy have in common."""

from collections.abc import Callable

from shared.engine.commands import Command

Appeal = Callable[[Command], float]
"""How much a move is worth, in points; passing, and what is not judged, is worth 0."""
