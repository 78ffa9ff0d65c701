"""Draws by name: which tiles came, instead of the numbers that chose them."""

from collections.abc import Iterable, Sequence

from shared.engine import Game
from shared.engine.events import Event, PlantationDrawn, PlantationsTurnedUp
from shared.engine.vocabulary import PLANTATIONS, Tile


class CannotBeDrawn(Exception):
    """The tile named does not lie face down then, or none is named."""


def tiles_drawn(events: Iterable[Event]) -> tuple[Tile, ...]:
    """The tiles that these events drew, in order."""
    drawn: list[Tile] = []
    for event in events:
        match event:
            case PlantationDrawn(tile=tile):
                drawn.append(tile)
            case PlantationsTurnedUp(tiles=tiles):
                drawn += tiles
            case _:
                pass
    return tuple(drawn)


class NamedDraws:
    """The draws of one move on this very game: a draw is the place of the tile in the stack."""

    def __init__(self, game: Game, tiles: Sequence[Tile]) -> None:
        self._game = game
        self._left = list(tiles)
        self._turning_up: list[Tile] = []
        """Drawn since the game's stack was last written: several tiles are turned up as one."""

    def __call__(self, number: int, among: int) -> int:
        if not self._left:
            raise CannotBeDrawn(f"draw {number} is not named")
        stack = dict(self._game.plantations.face_down)
        if sum(stack.values()) == among:
            self._turning_up = []
        for tile in self._turning_up:
            stack[tile] -= 1
        tile = self._left.pop(0)
        if not stack.get(tile):
            raise CannotBeDrawn(f"no {tile} lies face down at draw {number}")
        self._turning_up.append(tile)
        return sum(stack.get(kind, 0) for kind in PLANTATIONS[: PLANTATIONS.index(tile)])

    def require_all_used(self) -> None:
        """Refuse tiles named that nobody drew."""
        if self._left:
            raise CannotBeDrawn(f"nobody drew {', '.join(self._left)}")
