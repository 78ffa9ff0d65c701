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
        first, left = turn.game.draws, dict(tiles.face_down)
        count = min(wanted - len(tiles.face_up), sum(left.values()))
        drawn: list[Tile] = []
        for number in range(first, first + count):
            drawn.append(pick(turn.draw, number, left))
            left[drawn[-1]] -= 1
        turn.record(PlantationsTurnedUp(tuple(drawn), first))


def pick(draw: Draw, number: int, stack: dict[Tile, int]) -> Tile:
    """Draw one tile out of a stack of this composition (docs/fair-draws.md)."""
    index = draw(number, sum(stack.values()))
    for tile in PLANTATIONS:
        if index < stack.get(tile, 0):
            return tile
        index -= stack.get(tile, 0)
    raise AssertionError("a draw lies within the stack")
