"""What chance decided in an event, recomputed from the draws (docs/fair-draws.md)."""

from msgspec.structs import replace

from shared.engine import Draw
from shared.engine.building_sets import draw_set
from shared.engine.events import GameSetUp, PlantationDrawn, PlantationsTurnedUp
from shared.engine.plantations import pick, pick_several
from shared.table.chance import seating
from shared.table.decide import AnyEvent
from shared.table.events import GameStarted
from shared.table.state import Table


def as_drawn(table: Table, event: AnyEvent, draw: Draw) -> AnyEvent:
    """The next event of this table with chance's part as these draws decide it.

    An honest event comes back equal. Draws are numbered without a gap, so a number that was passed
    over, to pick a better one, makes a difference too.
    """
    match event:
        case GameStarted():
            return _started(table, draw)
        case GameSetUp() if table.options.buildings == "random":
            first = _seating_draws(table)
            buildings, draws = draw_set(table.options, draw, first)
            return replace(event, buildings=buildings, first_draw=first, draws=draws)
        case GameSetUp():
            return replace(event, first_draw=_seating_draws(table), draws=0)
        case PlantationDrawn():
            assert table.game is not None
            first, stack = table.game.draws, table.game.plantations.face_down
            return replace(event, tile=pick(draw, first, stack), draw=first)
        case PlantationsTurnedUp(tiles=tiles):
            assert table.game is not None
            first, stack = table.game.draws, table.game.plantations.face_down
            drawn = pick_several(draw, range(first, first + len(tiles)), stack)
            return PlantationsTurnedUp(drawn, first)
        case _:
            return event


def _started(table: Table, draw: Draw) -> GameStarted:
    order = list(range(len(table.members)))
    if table.options.seating == "random":
        order = seating(len(order), draw, 0)
    seats = tuple(table.members[place].account for place in order)
    return GameStarted(seats, 0, _seating_draws(table))


def _seating_draws(table: Table) -> int:
    """How many draws the seating takes: one less than there are players, or none."""
    return len(table.members) - 1 if table.options.seating == "random" else 0
