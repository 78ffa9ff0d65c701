"""Records: events as they are stored, one canonical text each, chained by hashes per game.

The text is what counts. Everything else in a row repeats the text, for the indexes, or says where
the row stands.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from uuid import UUID

import msgspec

from shared.eventstore.canonical import canonical

NO_HASH = bytes(32)
"""What the first record of a game follows."""


class Cause(StrEnum):
    """Why an event came to be."""

    MOVE = "move"
    AUTOPLAY = "autoplay"
    STANDING_ORDER = "standing_order"
    BOT = "bot"
    TIMEOUT = "timeout"
    ADMIN = "admin"


class NewEvent(msgspec.Struct, frozen=True):
    """An event to be stored, in the wire form of its type and schema version."""

    type: str
    schema_version: int
    body: dict[str, object]


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where a command's events come from; the same for all of them. Actors are account ids."""

    game_id: UUID
    command_id: bytes
    time: datetime
    actor: UUID | None
    on_behalf_of: UUID | None = None
    cause: Cause = Cause.MOVE


class NewRecord(msgspec.Struct, frozen=True):
    """A record that is ready to be appended."""

    version: int
    command_ix: int
    type: str
    text: str
    hash: bytes


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the text of a record says."""

    game_id: UUID
    version: int
    command_id: str
    command_ix: int
    type: str
    schema_version: int
    time: datetime
    actor: UUID | None
    on_behalf_of: UUID | None
    cause: Cause
    body: dict[str, object]


_envelopes = msgspec.json.Decoder(Envelope)


def read_envelope(text: str) -> Envelope:
    """msgspec.ValidationError when the text is no record."""
    return _envelopes.decode(text)


class Record(msgspec.Struct, frozen=True):
    """A stored record: `seq` is its place in its part, `version` its place in its game."""

    part: int
    seq: int
    game_id: UUID
    version: int
    command_id: bytes
    command_ix: int
    type: str
    text: str
    hash: bytes
    recorded_at: datetime

    def envelope(self) -> Envelope:
        return read_envelope(self.text)


def part_of(game_id: UUID) -> int:
    """A game's events are ordered, locked and projected within one of 256 parts."""
    return game_id.bytes[-1]


def chain_hash(previous: bytes, text: str) -> bytes:
    return sha256(previous + text.encode()).digest()


def time_after(previous: datetime | None) -> datetime:
    """The time of the next event: never before the previous one, whatever the clock does."""
    now = datetime.now(UTC)
    return now if previous is None else max(now, previous)


def rfc3339(moment: datetime) -> str:
    """UTC with microseconds, always written out, so that texts of times sort as the times do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def build_records(
    events: Sequence[NewEvent], origin: Origin, after_version: int, previous_hash: bytes
) -> list[NewRecord]:
    """The records that continue a game which stands at `after_version` with `previous_hash`."""
    records: list[NewRecord] = []
    head, common = previous_hash, _common(origin)
    for index, event in enumerate(events):
        version = after_version + 1 + index
        text = canonical(common | _own(event, version, index))
        head = chain_hash(head, text)
        records.append(NewRecord(version, index, event.type, text, head))
    return records


def _common(origin: Origin) -> dict[str, object]:
    """What all records of a command say."""
    return {
        "game_id": str(origin.game_id),
        "command_id": origin.command_id.hex(),
        "time": rfc3339(origin.time),
        "actor": None if origin.actor is None else str(origin.actor),
        "on_behalf_of": None if origin.on_behalf_of is None else str(origin.on_behalf_of),
        "cause": origin.cause,
    }


def _own(event: NewEvent, version: int, index: int) -> dict[str, object]:
    """What only this one says."""
    return {
        "version": version,
        "command_ix": index,
        "type": event.type,
        "schema_version": event.schema_version,
        "body": event.body,
    }
