"""A game in a list, and the turns that await an account."""

from msgspec import Struct, json

from shared.engine.options import Options
from shared.engine.vocabulary import Decision
from shared.table.state import Status, Table
from shared.views.state import awaiting


class GameSummary(Struct, frozen=True):
    """A game as lists show it; nothing in it depends on the viewer."""

    id: str
    version: int
    status: Status
    visibility: str
    created_by: str
    created_at: str
    updated_at: str
    options: Options
    members: list[str]
    seats: tuple[str, ...]
    round: int | None
    awaiting: list[int]
    winners: tuple[int, ...]


class GameTurn(Struct, frozen=True):
    """A decision that awaits an account."""

    game_id: str
    version: int
    seat: int
    decision: Decision
    decision_id: str
    updated_at: str


_encode = json.Encoder().encode


def summary_document(table: Table) -> bytes:
    """The game's entry in lists."""
    game = table.game
    return _encode(
        GameSummary(
            id=table.game_id,
            version=table.version,
            status=table.status,
            visibility=table.visibility,
            created_by=table.creator,
            created_at=table.created_at,
            updated_at=table.updated_at,
            options=table.options,
            members=[member.account for member in table.members],
            seats=table.seats,
            round=None if game is None else game.round,
            awaiting=[asked.seat for asked in awaiting(table)],
            winners=() if game is None else game.winners,
        )
    )


def turn_documents(table: Table) -> dict[str, bytes]:
    """By account id, the entries of the decisions that await somebody."""
    return {
        table.seats[asked.seat]: _encode(
            GameTurn(
                game_id=table.game_id,
                version=table.version,
                seat=asked.seat,
                decision=asked.decision,
                decision_id=asked.decision_id,
                updated_at=table.updated_at,
            )
        )
        for asked in awaiting(table)
    }
