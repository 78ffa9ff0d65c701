"""A game's records folded into its table: the one way from the log to a state."""

from collections.abc import Iterable

from shared.eventstore.records import NewRecord, Record, read_envelope, rfc3339
from shared.table import state
from shared.table.events import GameCreated
from shared.table.state import Table
from shared.wire.events import decode_event


def fold(records: Iterable[Record | NewRecord], table: Table | None = None) -> Table | None:
    """Apply the records, the next ones of their game, to the table, which is changed.

    None in, version 1 first: a new table. No records: what was given. A gap is the caller's error.
    """
    for record in records:
        envelope = read_envelope(record.text)
        event = decode_event(envelope.type, envelope.schema_version, envelope.body)
        if table is None:
            assert isinstance(event, GameCreated) and envelope.version == 1
            table = state.create(event)
            table.created_at = rfc3339(envelope.time)
        else:
            assert envelope.version == table.version + 1
            state.apply(table, event)
        table.updated_at = rfc3339(envelope.time)
        table.head_hash = record.hash.hex()
    return table
