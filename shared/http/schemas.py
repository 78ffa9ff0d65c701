"""Schemas that both services' specifications name."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from shared.http.problems import Fault, Problem
from shared.http.tokens import SCOPES


class FaultSchema(Schema):
    """One faulty value."""

    pointer = fields.String(metadata={"description": "JSON Pointer (RFC 6901) into the body."})
    parameter = fields.String(metadata={"description": "Name of the query parameter."})
    detail = fields.String(required=True)


_FAULT: Fault = {"pointer": "/name", "detail": "Must have 3 to 30 characters."}
_EXAMPLE = Problem("invalid", errors=[_FAULT]).document("0b6f3e5d4c2a1978")


def _like_the_example(name: str, **metadata: str) -> dict[str, object]:
    return {"example": _EXAMPLE[name], **metadata}


class ProblemSchema(Schema):
    """RFC 9457; describes what `Problem.document` writes."""

    type = fields.String(required=True, metadata=_like_the_example("type", format="uri-reference"))
    title = fields.String(required=True, metadata=_like_the_example("title"))
    status = fields.Integer(required=True, metadata=_like_the_example("status"))
    detail = fields.String(
        required=True,
        metadata=_like_the_example("detail", description="For people; told to players as it is."),
    )
    code = fields.String(
        required=True,
        metadata=_like_the_example("code", description="Stable; all are listed at /problems."),
    )
    rule = fields.String(metadata={"description": "Section of the rules that refuses the move."})
    game_version = fields.Integer(metadata={"description": "The game's current version."})
    errors = fields.List(fields.Nested(FaultSchema), metadata=_like_the_example("errors"))
    request_id = fields.String(required=True, metadata=_like_the_example("request_id"))


class AccountSchema(Schema):
    """Whoever plays, a person or a program."""

    id = fields.UUID(required=True)
    name = fields.String(required=True)
    kind = fields.String(required=True, metadata={"description": "`human` or `bot`."})
    strategy = fields.String(
        required=True, allow_none=True, metadata={"description": "How a bot plays, in its words."}
    )
    accepts_seats = fields.Boolean(
        required=True, metadata={"description": "Whether a bot takes seats that others give it."}
    )


class TokenSchema(Schema):
    """A token without its secret, which nobody can read again."""

    id = fields.UUID(required=True)
    label = fields.String(required=True)
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True)
    created_at = fields.AwareDateTime(required=True)
    expires_at = fields.AwareDateTime(required=True, allow_none=True)
