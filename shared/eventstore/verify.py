"""Checks a game's records: nothing changed, left out, added or moved since they were written."""

from collections.abc import Iterable

import msgspec

from shared.eventstore.canonical import canonical
from shared.eventstore.records import NO_HASH, Record, chain_hash, part_of


class ChainBroken(msgspec.Struct, frozen=True):
    """The first version at which the records of a game are not what was written, and why."""

    version: int
    reason: str


def verify_chain(records: Iterable[Record]) -> ChainBroken | None:
    """Takes one game's records in order, from version 1. None when all is well.

    A tail cut off is not seen here: compare the last hash with one seen before (`head_hash`).
    """
    head = NO_HASH
    first: Record | None = None
    for expected, record in enumerate(records, start=1):
        first = first or record
        if record.version != expected or record.game_id != first.game_id:
            return ChainBroken(expected, f"the next record is {record.version} of {record.game_id}")
        head = chain_hash(head, record.text)
        if record.hash != head:
            return ChainBroken(expected, "the hash does not follow from the text")
        if reason := _row_fault(record):
            return ChainBroken(expected, reason)
    return None


def _row_fault(record: Record) -> str | None:
    """The hash covers the text only, so the columns must repeat what the text says."""
    try:
        said = record.envelope()
    except msgspec.MsgspecError as error:
        return f"the text is no record: {error}"
    if canonical(msgspec.json.decode(record.text)) != record.text:
        return "the text is not canonical"
    in_text = (said.game_id, said.version, said.command_id, said.command_ix, said.type)
    in_row = (
        record.game_id,
        record.version,
        record.command_id.hex(),
        record.command_ix,
        record.type,
    )
    if in_text != in_row:
        return "the columns say something else than the text"
    if record.part != part_of(record.game_id):
        return "the record lies in another game's part"
    return None
