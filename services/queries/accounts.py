"""GET /v1/me, /v1/me/tokens and /v1/accounts: who one is, and what others are called."""

from __future__ import annotations

from typing import TypedDict
from uuid import UUID

from marshmallow import Schema, fields, validate
from psycopg.rows import DictRow, dict_row
from webargs.fields import DelimitedList

from shared.http.auth import caller, requires
from shared.http.blueprint import Blueprint, refuses
from shared.http.resources import resources
from shared.http.schemas import AccountSchema, TokenSchema

blueprint = Blueprint("accounts", __name__, description="Whoever plays: people and programs.")

_MOST = 100


class AccountIdsSchema(Schema):
    ids = DelimitedList(
        fields.UUID(),
        required=True,
        validate=validate.Length(1, _MOST),
        metadata={"description": f"Up to {_MOST} account ids, with commas between."},
    )


class AccountListSchema(Schema):
    items = fields.List(fields.Nested(AccountSchema), required=True)


class TokenListSchema(Schema):
    items = fields.List(fields.Nested(TokenSchema), required=True)


class AccountIds(TypedDict):
    ids: list[UUID]


@blueprint.route("/v1/accounts")
@blueprint.arguments(AccountIdsSchema, location="query")
@blueprint.response(200, AccountListSchema)
def list_accounts(wish: AccountIds) -> dict[str, list[DictRow]]:
    """Name accounts.

    Games hold account ids only; this gives their names. Unknown ids are left out.
    """
    return {
        "items": _rows(
            "select account_id as id, name, kind from accounts where account_id = any(%s)",
            wish["ids"],
        )
    }


@blueprint.route("/v1/me")
@requires("games:read")
@refuses("unauthorized", "missing_scope")
@blueprint.response(200, AccountSchema)
def get_me() -> DictRow:
    """Show one's own account."""
    (me,) = _rows(
        "select account_id as id, name, kind from accounts where account_id = %s",
        caller().account_id,
    )
    return me


@blueprint.route("/v1/me/tokens", tags=["tokens"])
@requires("account")
@refuses("unauthorized", "missing_scope")
@blueprint.response(200, TokenListSchema)
def list_tokens() -> dict[str, list[DictRow]]:
    """List one's tokens.

    Those in use, the oldest first, without their secrets.
    """
    return {
        "items": _rows(
            "select token_id as id, label, scopes, created_at, expires_at from tokens"
            " where account_id = %s and revoked_at is null"
            " and (expires_at is null or expires_at > clock_timestamp())"
            " order by created_at, token_id",
            caller().account_id,
        )
    }


def _rows(query: str, parameter: UUID | list[UUID]) -> list[DictRow]:
    with resources().pool.connection() as connection:
        return connection.cursor(row_factory=dict_row).execute(query, (parameter,)).fetchall()
