"""What the command service answers about games: the types of what is sent, and of the spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, cast

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, json

from shared.eventstore.records import NewRecord, Record
from shared.http.answer import Answer
from shared.http.versions import etag
from shared.table.state import Table
from shared.views.audit import AuditItem, audit_item
from shared.views.state import Awaited, State, Viewer, awaiting, state_document


class Change(Struct, kw_only=True):
    """What a request changed, and the game after it as its sender sees it."""

    id: Annotated[str, Meta(description="The game's id.")]
    first_version: Annotated[int, Meta(description="The version of the first event.")]
    last_version: Annotated[int, Meta(description="The game's version after the last one.")]
    head_hash: Annotated[str, Meta(description="Hash of the last event, in hex.")]
    events: list[AuditItem]
    awaiting: Annotated[list[Awaited], Meta(description="The seats the game waits for now.")]
    state: State
    invitation_code: Annotated[
        str | UnsetType, Meta(description="Of a new private game: what others join it with.")
    ] = UNSET


class ForeseenEvent(Struct):
    """An event that the move would cause."""

    type: str
    schema_version: int
    body: dict[str, object]


class Preview(Struct, kw_only=True):
    """What a move would do; nothing has happened."""

    version: Annotated[int, Meta(description="The game's version, from which this is foreseen.")]
    chance: Annotated[bool, Meta(description="A draw comes next: what follows cannot be foreseen.")]
    ends_game: Annotated[
        bool, Meta(description="The final scoring comes next; it shows no hidden points yet.")
    ]
    events: list[ForeseenEvent]
    awaiting: list[Awaited]
    state: State


_encode = json.Encoder().encode


def change_answer(
    table: Table,
    records: Sequence[Record | NewRecord],
    viewer: Viewer,
    status: int,
    invitation_code: str | UnsetType = UNSET,
) -> Answer:
    """Answer records that are appended; the table is the state after the last of them."""
    change = Change(
        id=table.game_id,
        first_version=records[0].version,
        last_version=table.version,
        head_hash=table.head_hash,
        events=[audit_item(record.text, record.hash) for record in records],
        awaiting=awaiting(table),
        state=shown(table, viewer),
        invitation_code=invitation_code,
    )
    return answer(change, status, {"ETag": etag(table.version, viewer)})


def shown(table: Table, viewer: Viewer) -> State:
    """Give the state as ready-made JSON, which is written out in the place of its type."""
    return cast(State, Raw(state_document(table, viewer)))


def answer(document: Struct, status: int, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(
        status, _encode(document), {"Content-Type": "application/json", **(headers or {})}
    )
