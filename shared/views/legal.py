"""What a seat may do now: the moves that can be listed, and those with too many arguments."""

from msgspec import Struct, json

from shared.engine import legal
from shared.engine.commands import Command
from shared.engine.open_moves import ExchangeBuild, OpenMove, open_moves
from shared.engine.vocabulary import Decision
from shared.table.state import Status, Table
from shared.views.state import awaiting


class LegalMoves(Struct, frozen=True):
    """A seat's moves at this version. A seat not awaited may still move guests.

    `moves` are complete but for optional flags; a build that can be paid for only by giving things
    back has one way to do so. `open_moves` say what the arguments of the others may be.
    """

    version: int
    seat: int
    decision: Decision | None
    decision_id: str | None
    moves: list[Command]
    open_moves: list[OpenMove]


_encode = json.Encoder().encode


def legal_document(table: Table, seat: int) -> bytes:
    """The seat's moves, as its owner alone is told them."""
    return _encode(legal_moves(table, seat))


def legal_moves(table: Table, seat: int) -> LegalMoves:
    """The same, not yet written out."""
    game = table.game
    if game is None or table.status is not Status.RUNNING:
        return LegalMoves(table.version, seat, None, None, [], [])
    asked = next((asked for asked in awaiting(table) if asked.seat == seat), None)
    free = open_moves(game, seat)
    exchanges = [move.example for move in free if isinstance(move, ExchangeBuild)]
    return LegalMoves(
        version=table.version,
        seat=seat,
        decision=None if asked is None else asked.decision,
        decision_id=None if asked is None else asked.decision_id,
        moves=[*legal(game, seat), *exchanges],
        open_moves=free,
    )
