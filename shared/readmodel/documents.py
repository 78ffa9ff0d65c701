"""What is stored of a table: one hash of its game, and its places in the lists."""

from uuid import UUID

from msgspec import Struct, json

from shared.table.state import Status, Table
from shared.views import VIEW_FORMAT
from shared.views.legal import legal_document
from shared.views.state import Viewer, state_documents
from shared.views.summary import summary_document, turn_documents
from shared.wire.tables import FOLD_VERSION, encode_table

STAMP = f"{FOLD_VERSION}.{VIEW_FORMAT}"
"""Which code made the documents; those of other code are a miss, and are made anew."""
DAY = 86400


class Access(Struct, frozen=True):
    """Who may see the game, asked once and written out: everybody if public, and its members."""

    public: bool
    members: dict[str, int | None]
    """Account id → seat; None before the start, and for who only watches."""

    def may_be_seen_by(self, account: str | None) -> bool:
        return self.public or account in self.members

    def seat_of(self, account: str | None) -> int | None:
        return None if account is None else self.members.get(account)


class GameHash(Struct, frozen=True):
    """A game's hash as it is to be, whole."""

    game_id: UUID
    version: int
    seconds: int
    """How long it is kept without a change: what is gone is a miss, and is made anew."""
    fields: dict[str, bytes | str]


class Places(Struct, frozen=True):
    """Where the lists show a game, and what; whole, so that all other places are left."""

    game_id: UUID
    version: int
    members: dict[str, str]
    """List → the member of it that stands for this game."""
    documents: dict[str, bytes]
    """Member → document."""


_encode_access = json.Encoder().encode


def document_field(viewer: Viewer) -> str:
    """The field of what this viewer sees of the game."""
    return "doc:w" if viewer is None else f"doc:{viewer}"


def legal_field(seat: int) -> str:
    """The field of what this seat may do."""
    return f"legal:{seat}"


def game_hash(table: Table) -> GameHash:
    """All that reads of one game need."""
    access = access_of(table)
    fields: dict[str, bytes | str] = {
        "v": str(table.version),
        "stamp": STAMP,
        "table": encode_table(table),
        "access": _encode_access(access),
    }
    for viewer, document in state_documents(table).items():
        fields[document_field(viewer)] = document
    for seat in range(len(table.seats)):
        fields[legal_field(seat)] = legal_document(table, seat)
    is_over = table.status in (Status.FINISHED, Status.ABORTED)
    return GameHash(UUID(table.game_id), table.version, DAY if is_over else 30 * DAY, fields)


def stale_hash(game_id: UUID, version: int, error: str) -> GameHash:
    """A game that could not be folded up to this version, and why."""
    return GameHash(game_id, version, 30 * DAY, {"v": str(version), "stale": error})


def access_of(table: Table) -> Access:
    """Who may see the game now."""
    members = {account: table.seat_of(account) for account in sorted(table.accounts())}
    return Access(table.may_be_seen_by(None), members)


def public_list(status: str | None) -> str:
    """The public games of this status, or all."""
    return f"public.{status or 'any'}"


def account_list(account: str, status: str | None) -> str:
    """The games of this status, or all, that the account belongs to."""
    return f"account.{account}.{status or 'any'}"


def turn_list(account: str) -> str:
    """The decisions that await the account."""
    return f"turns.{account}"


def places(table: Table) -> Places:
    """Every list the game belongs to now. Members sort by when their games were created."""
    members: dict[str, str] = {}
    documents = {table.game_id: summary_document(table)}
    for status in (None, table.status.value):
        if table.may_be_seen_by(None):
            members[public_list(status)] = table.game_id
        for account in access_of(table).members:
            members[account_list(account, status)] = table.game_id
    for account, document in turn_documents(table).items():
        member = f"{table.game_id}.{table.seat_of(account)}"
        members[turn_list(account)] = member
        documents[member] = document
    return Places(UUID(table.game_id), table.version, members, documents)
