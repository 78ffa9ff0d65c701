"""Games to append to: their events say nothing but a number."""

import secrets
from uuid import UUID

from shared.eventstore.records import (
    NO_HASH,
    NewEvent,
    NewRecord,
    Origin,
    build_records,
    time_after,
)
from shared.eventstore.store import Appended, EventStore, Head, StoredRequest
from shared.ids import uuid7

SEED = bytes(range(32))
ACCOUNT = UUID("01890a5d-ac96-774b-bcce-b302099a8057")


def new_command() -> bytes:
    return secrets.token_bytes(16)


def new_game_id(part: int | None = None) -> UUID:
    game_id = uuid7()
    return game_id if part is None else UUID(bytes=game_id.bytes[:15] + bytes([part]))


def new_records(game_id: UUID, command_id: bytes, head: Head, count: int = 1) -> list[NewRecord]:
    origin = Origin(game_id=game_id, command_id=command_id, time=time_after(None), actor=ACCOUNT)
    events = [NewEvent("Counted", 1, {"number": number}) for number in range(count)]
    return build_records(events, origin, head.version, head.hash)


def create(
    store: EventStore,
    game_id: UUID | None = None,
    command_id: bytes | None = None,
    request: StoredRequest | None = None,
) -> UUID:
    game_id = game_id or new_game_id()
    command_id = command_id or new_command()
    records = new_records(game_id, command_id, Head(0, NO_HASH))
    store.create_game(game_id, command_id, records, SEED, request=request)
    return game_id


def append(  # noqa: PLR0917
    store: EventStore,
    game_id: UUID,
    head: Head,
    command_id: bytes | None = None,
    count: int = 1,
    request: StoredRequest | None = None,
) -> Appended:
    command_id = command_id or new_command()
    records = new_records(game_id, command_id, head, count)
    return store.append(game_id, head.version, head.hash, command_id, records, request=request)


def request(key: str, body: bytes = b"{}") -> StoredRequest:
    return StoredRequest(ACCOUNT, key, bytes(32), 201, body)
