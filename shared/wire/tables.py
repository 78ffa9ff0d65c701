"""The whole state of a table as stored bytes: what a read model keeps to fold on from."""

from msgspec import json

from shared.table.state import Table

FOLD_VERSION = 1
"""Raised when the meaning of stored state changes; another version is a miss and is folded anew."""

_decoder = json.Decoder(Table)


def encode_table(table: Table) -> bytes:
    """All of a table, for projections only: it holds every player's points."""
    return json.encode(table)


def decode_table(data: bytes) -> Table:
    """The table that was stored."""
    return _decoder.decode(data)
