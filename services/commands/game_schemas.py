"""What a request says to open a game, join it, or move in it."""

from __future__ import annotations

from math import comb
from typing import NotRequired, TypedDict, get_args, get_type_hints
from uuid import UUID

import msgspec
from marshmallow import Schema, fields, post_load, validate

from shared.engine.commands import Command
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey
from shared.http.fields import StrictBool, StrictString
from shared.http.move_schemas import MoveSchema
from shared.table.state import MAX_PLAYERS

DECISION_ID = r"[0-9]\.[0-9]{1,10}"
_BUILDINGS = [str(key) for key in BuildingKey]
_VALUES = get_type_hints(Options)


def _choice(option: str, description: str) -> fields.String:
    """Make the field of an option with named values; the first is the default (Rules 10)."""
    return fields.String(
        validate=validate.OneOf(get_args(_VALUES[option])), metadata={"description": description}
    )


def _building() -> fields.String:
    return fields.String(validate=validate.OneOf(_BUILDINGS))


class OptionsSchema(Schema):
    """Rules 10; what is left out has its default."""

    buildings = _choice("buildings", "Which violet buildings are in play (Rules 8.1).")
    custom_buildings = fields.List(
        _building(),
        validate=validate.Length(max=len(_BUILDINGS)),
        metadata={"description": "The violet buildings of a custom set."},
    )
    never_together = fields.List(
        fields.List(_building(), validate=validate.Length(equal=2)),
        validate=validate.Length(max=comb(len(_BUILDINGS), 2)),
        metadata={"description": "Pairs of which a set holds one at most."},
    )
    hidden_points = StrictBool(
        metadata={"description": "Point totals are their owner's alone until the end."}
    )
    placement = _choice("placement", "Whether players arrange and store one after another.")
    points_supply = _choice("points_supply", "126 is for five players.")
    corn_start = _choice(
        "corn_start", "one_less: players who start with corn have 1 doubloon less."
    )
    swap_factory_university = StrictBool(metadata={"description": "Their costs change places."})
    seating = _choice("seating", "Who sits where.")

    @post_load
    def _options(self, data: dict[str, object], **_kwargs: object) -> Options:
        return msgspec.convert(data, Options)


class NonceField(StrictString):
    """A player's own part in the draws; of letters that hold no words, since the log keeps it."""

    def __init__(self) -> None:
        super().__init__(
            maximum=64,
            pattern="[A-Za-z0-9+/=_-]+",
            must="Must be hex or base64: letters from A to Z, digits, and + / = _ - only.",
            load_default=str,  # made, not shown: the specification would forbid its own default
            metadata={
                "description": "Hex or base64 of something random. It goes into the key of the "
                "game's draws, so that nobody can have known them (docs/fair-draws.md)."
            },
        )


class CreateGameSchema(Schema):
    visibility = fields.String(
        validate=validate.OneOf(["public", "private"]),
        load_default="public",
        metadata={"description": "A private game is seen by its members, and joined by a code."},
    )
    options = fields.Nested(OptionsSchema, load_default=Options())
    nonce = NonceField()
    bots = fields.List(
        fields.UUID(),
        load_default=list,
        validate=validate.Length(max=MAX_PLAYERS - 1),
        metadata={"description": "Bots that join at once: account ids from `GET /v1/bots`."},
    )


class JoinGameSchema(Schema):
    nonce = NonceField()
    code = StrictString(
        load_default=None, metadata={"description": "A private game's invitation code."}
    )
    bot = fields.UUID(
        load_default=None,
        metadata={"description": "By the creator: a bot that joins, one of `GET /v1/bots`."},
    )


class MoveRequestSchema(Schema):
    move = fields.Nested(MoveSchema, required=True)
    decision_id = StrictString(
        pattern=DECISION_ID,
        must="Must be a `decision_id` as the legal moves name it.",
        metadata={
            "description": "The move counts only while this decision is open. It comes with the "
            "legal moves and in `awaiting`."
        },
    )


class NewGame(TypedDict):
    visibility: str
    options: Options
    nonce: str
    bots: list[UUID]


class Joining(TypedDict):
    nonce: str
    code: str | None
    bot: UUID | None


class MoveRequest(TypedDict):
    move: Command
    decision_id: NotRequired[str]
