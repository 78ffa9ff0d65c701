"""An event as the audit trail shows it: whole, for everybody who may see the game."""

from typing import Annotated

from msgspec import Meta, Raw, Struct, json


class _Text(Struct, frozen=True):
    """What the text of a record says; the body is passed on as it is written."""

    version: int
    type: str
    schema_version: int
    time: str
    actor: str | None
    on_behalf_of: str | None
    cause: str
    command_id: str
    body: Raw


class AuditItem(Struct, frozen=True):
    """One event: what happened, who did it, when, why, and the chain that proves it."""

    version: int
    type: str
    schema_version: int
    time: str
    actor: Annotated[str | None, Meta(description="An account id; null for the server itself.")]
    on_behalf_of: str | None
    cause: Annotated[
        str, Meta(description="move, autoplay, standing_order, bot, timeout or admin.")
    ]
    command_id: Annotated[str, Meta(description="The same for all events of one command.")]
    body: Annotated[
        Raw,
        Meta(
            description="What happened, by `type` and `schema_version`: docs/events.md.",
            extra_json_schema={"type": "object", "additionalProperties": True},
        ),
    ]
    hash: Annotated[
        str,
        Meta(description="SHA-256 of the previous hash (version 1: 32 zero bytes) and `record`."),
    ]
    record: Annotated[str, Meta(description="The canonical text that is hashed.")]


_decode = json.Decoder(_Text).decode


def audit_item(record: str, hash_: bytes) -> AuditItem:
    """The item of a stored record: its text and its hash."""
    text = _decode(record)
    return AuditItem(
        version=text.version,
        type=text.type,
        schema_version=text.schema_version,
        time=text.time,
        actor=text.actor,
        on_behalf_of=text.on_behalf_of,
        cause=text.cause,
        command_id=text.command_id,
        body=text.body,
        hash=hash_.hex(),
        record=record,
    )
