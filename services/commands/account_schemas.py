"""What may be asked of accounts and tokens, and what is answered."""

from __future__ import annotations

from typing import Any, get_args

from marshmallow import Schema, ValidationError, fields, validate

from shared.http.fields import StrictBool, StrictInt, StrictString
from shared.http.schemas import AccountSchema
from shared.http.tokens import SCOPES, AccountKind

_RESERVED = "deleted-"


def _not_reserved(name: str) -> None:
    if name.lower().startswith(_RESERVED):
        raise ValidationError(f"Must not begin with {_RESERVED}, as those of erased accounts do.")


class NameField(StrictString):
    """3 to 30 letters, digits, dots, dashes and underscores; unique whatever the capitals."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            minimum=3,
            maximum=30,
            pattern="[A-Za-z0-9_.-]+",
            must="Must hold only letters from A to Z, digits, dots, dashes and underscores.",
            **options,
        )
        self.validators.append(_not_reserved)


class PasswordField(StrictString):
    def __init__(self, **options: Any) -> None:
        super().__init__(minimum=8, maximum=200, metadata={"format": "password"}, **options)


class ScopesField(fields.List[str]):
    def __init__(self) -> None:
        super().__init__(
            fields.String(validate=validate.OneOf(SCOPES)),
            load_default=list(SCOPES),
            validate=validate.Length(min=1, error="Must name one scope at least."),
            metadata={"description": "What the token may be used for; everything by default."},
        )


class StrategyField(StrictString):
    def __init__(self, **options: Any) -> None:
        about = {"description": "How a bot plays, in a line for who chooses an opponent."}
        super().__init__(maximum=200, metadata=about, **options)


class AcceptsSeatsField(StrictBool):
    def __init__(self, **options: Any) -> None:
        about = {"description": "Whether others may give this bot a seat in their games."}
        super().__init__(metadata=about, **options)


class RegistrationSchema(Schema):
    name = NameField(required=True)
    password = PasswordField(required=True)
    kind = fields.String(
        validate=validate.OneOf(get_args(AccountKind)),
        load_default="human",
        metadata={"description": "What a bot does is marked as such in the log."},
    )
    strategy = StrategyField(load_default=None)
    accepts_seats = AcceptsSeatsField(load_default=False)


class _TokenTermsSchema(Schema):
    label = StrictString(maximum=60, load_default="log in")
    scopes = ScopesField()
    expires_in_days = StrictInt(
        minimum=1,
        maximum=3650,
        load_default=None,
        metadata={"description": "After how many days the token ends; never by default."},
    )


class LogInSchema(_TokenTermsSchema):
    name = NameField(required=True)
    password = PasswordField(required=True)


class TokenRequestSchema(_TokenTermsSchema):
    label = StrictString(maximum=60, required=True)


class AccountChangeSchema(Schema):
    """What is left out stays."""

    name = NameField()
    strategy = StrategyField()
    accepts_seats = AcceptsSeatsField()


class PasswordChangeSchema(Schema):
    current_password = PasswordField(required=True)
    password = PasswordField(required=True)


class IssuedTokenSchema(Schema):
    """A new token. Its secret is told this once; keep it."""

    account = fields.Nested(AccountSchema, required=True)
    token = fields.String(required=True)
    token_id = fields.UUID(required=True)
    label = fields.String(required=True)
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True)
    expires_at = fields.AwareDateTime(required=True, allow_none=True)
