"""What a request says to set up a position, ask for its legal moves, and try moves out."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from marshmallow import Schema, ValidationError, fields, validate

from services.commands.game_schemas import OptionsSchema
from shared.engine.commands import Command
from shared.engine.options import Options
from shared.engine.setup import COMPONENTS
from shared.http.documents import reference
from shared.http.fields import StrictInt
from shared.http.move_schemas import MoveSchema
from shared.wire.full_position import FullPosition
from shared.wire.position import Position

FORMS = (Position, FullPosition)

_MOST_SEATS = max(COMPONENTS)
_MOST_MOVES = 200
"""More than a round has."""


class PositionField(fields.Field[dict[str, Any]]):
    """A document that is read by shared.wire, which knows what is wrong with it."""

    def __init__(self, *, metadata: dict[str, Any], **options: Any) -> None:
        forms = [reference(form) for form in FORMS]
        super().__init__(metadata={**metadata, "oneOf": forms}, **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValidationError("Not an object.")
        return value


class PositionSchema(Schema):
    """A position, and the game it is laid in if it does not say so itself."""

    position = PositionField(
        required=True,
        metadata={
            "description": "Either form of docs/positions.md: a state as the API serves it, with "
            "all totals, or what differs from the opening when a role is to be chosen."
        },
    )
    players = StrictInt(
        minimum=min(COMPONENTS),
        maximum=_MOST_SEATS,
        metadata={"description": "Needed by the short form; a whole state says it itself."},
    )
    options = fields.Nested(
        OptionsSchema,
        metadata={
            "description": "Of the short form; a drafted or random set can be in a state only."
        },
    )


def _seat(description: str) -> StrictInt:
    return StrictInt(minimum=0, maximum=_MOST_SEATS - 1, metadata={"description": description})


class LegalMovesRequestSchema(PositionSchema):
    seat = _seat("Whose moves; by default those of all the game waits for.")


class StepSchema(Schema):
    move = fields.Nested(MoveSchema, required=True)
    seat = _seat("Who moves; by default the first seat the game waits for.")


class ApplyRequestSchema(PositionSchema):
    moves = fields.List(
        fields.Nested(StepSchema),
        required=True,
        validate=validate.Length(1, _MOST_MOVES),
        metadata={"description": "One after another."},
    )
    draws = fields.List(
        StrictInt(minimum=0),
        load_default=(),
        validate=validate.Length(max=_MOST_MOVES),
        metadata={
            "description": "Outcomes of the draws to come: which of the tiles left is drawn, "
            "counted from 0 in the order coffee, tobacco, corn, sugar, indigo (docs/fair-draws.md)."
        },
    )


class SetUp(TypedDict):
    position: dict[str, Any]
    players: NotRequired[int]
    options: NotRequired[Options]


class LegalMovesRequest(SetUp):
    seat: NotRequired[int]


class Step(TypedDict):
    move: Command
    seat: NotRequired[int]


class ApplyRequest(SetUp):
    moves: list[Step]
    draws: list[int]


_ROUND_THREE: dict[str, Any] = {
    "players": 3,
    "position": {
        "governor": 2,
        "roles_taken": {"settler": 2},
        "role_doubloons": {"trader": 1},
        "players": {
            "0": {
                "doubloons": 5,
                "island": ["indigo*", "coffee*", "quarry*"],
                "city": ["coffee_roaster*", "small_market*"],
                "goods": {"coffee": 1},
            }
        },
        "plantations": {"face_up": ["corn", "sugar", "sugar", "tobacco"]},
    },
}

LEGAL_MOVES = {
    "roles": {"summary": "Which roles may seat 0 take?", "value": _ROUND_THREE},
}
APPLY = {
    "sale": {
        "summary": "Seat 0 takes the trader and sells its coffee",
        "value": {
            **_ROUND_THREE,
            "moves": [
                {"seat": 0, "move": {"type": "choose_role", "role": "trader"}},
                {"seat": 0, "move": {"type": "sell_good", "good": "coffee"}},
            ],
        },
    },
    "settler": {
        "summary": "The draws given: each new plantation is the first of those left",
        "value": {
            "players": 3,
            "position": {"plantations": {"face_up": ["corn", "corn", "sugar", "tobacco"]}},
            "moves": [
                {"move": {"type": "choose_role", "role": "settler"}},
                {"move": {"type": "take_plantation", "tile": "quarry"}},
                {"move": {"type": "take_plantation", "tile": "corn"}},
                {"move": {"type": "pass"}},
            ],
            "draws": [0, 0, 0, 0],
        },
    },
}
