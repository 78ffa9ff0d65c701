"""A game's records folded into its table: the one way from the log to a state."""

from collections.abc import Iterable

from msgspec import Struct, json

from shared.eventstore.records import NewRecord, Record
from shared.table import state
from shared.table.events import GameCreated
from shared.table.state import Table
from shared.wire.events import decode_event


class _Fact(Struct, frozen=True):
    """What of a record's text matters to a table; the rest is not read."""

    version: int
    type: str
    schema_version: int
    time: str
    body: dict[str, object]


_read = json.Decoder(_Fact).decode


def fold(records: Iterable[Record | NewRecord], table: Table | None = None) -> Table | None:
    """Apply the records, the next ones of their game, to the table, which is changed.

    None in, version 1 first: a new table. No records: what was given. A gap is the caller's error.
    """
    for record in records:
        fact = _read(record.text)
        event = decode_event(fact.type, fact.schema_version, fact.body)
        if table is None:
            assert isinstance(event, GameCreated) and fact.version == 1
            table = state.create(event)
            table.created_at = fact.time
        else:
            assert fact.version == table.version + 1
            state.apply(table, event)
        table.updated_at = fact.time
        table.head_hash = record.hash.hex()
    return table
