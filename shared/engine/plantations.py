"""The face-down stack: tiles are drawn from it, and turned up. Rules 4.1."""

from shared.engine.events import DiscardsShuffled, PlantationsTurnedUp
from shared.engine.turn import Draw, Turn
from shared.engine.vocabulary import PLANTATIONS, Tile


def turn_up(turn: Turn) -> None:
    """Turn up players + 1 tiles; the discards are shuffled when one is needed and none is left."""
    tiles, wanted = turn.game.plantations, len(turn.game.players) + 1
    while len(tiles.face_up) < wanted and (tiles.face_down or tiles.discards):
        if not tiles.face_down:
            turn.record(DiscardsShuffled(dict(tiles.discards)))
        first = turn.game.draws
        count = min(wanted - len(tiles.face_up), sum(tiles.face_down.values()))
        drawn = pick_several(turn.draw, range(first, first + count), tiles.face_down)
        turn.record(PlantationsTurnedUp(drawn, first))


def pick_several(draw: Draw, numbers: range, stack: dict[Tile, int]) -> tuple[Tile, ...]:
    """Draw tiles one after the other, none put back; the stack itself is unchanged."""
    left, drawn = dict(stack), []
    for number in numbers:
        drawn.append(pick(draw, number, left))
        left[drawn[-1]] -= 1
    return tuple(drawn)


def pick(draw: Draw, number: int, stack: dict[Tile, int]) -> Tile:
    """Draw one tile out of a stack of this composition (docs/fair-draws.md)."""
    index = draw(number, sum(stack.values()))
    for tile in PLANTATIONS:
        index -= stack.get(tile, 0)
        if index < 0:
            return tile
    raise AssertionError("a draw lies within the stack")
