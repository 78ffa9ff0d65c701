"""Schemas that both services' specifications name."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from shared.http.tokens import SCOPES


class FaultSchema(Schema):
    """One faulty value."""

    pointer = fields.String(metadata={"description": "JSON Pointer (RFC 6901) into the body."})
    parameter = fields.String(metadata={"description": "Name of the query parameter."})
    detail = fields.String(required=True)


class ProblemSchema(Schema):
    """RFC 9457; describes what `Problem.document` writes."""

    type = fields.String(required=True, metadata={"format": "uri-reference"})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(
        required=True, metadata={"description": "Stable; all are listed at /problems."}
    )
    rule = fields.String(metadata={"description": "Section of the rules that refuses the move."})
    game_version = fields.Integer(metadata={"description": "The game's current version."})
    errors = fields.List(fields.Nested(FaultSchema))
    request_id = fields.String(required=True)


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
