"""GET /v1/me, /v1/me/tokens, /v1/accounts and /v1/bots: who one is, and who the others are."""

from __future__ import annotations

from typing import Any, LiteralString, NotRequired, TypedDict
from uuid import UUID

from marshmallow import Schema, ValidationError, fields, validate
from psycopg.rows import DictRow, dict_row
from webargs.fields import DelimitedList

from services.queries.examples import EXAMPLES
from shared.http.auth import caller, requires
from shared.http.blueprint import Blueprint, refuses
from shared.http.fields import CursorField, QueryInt
from shared.http.links import leads_to
from shared.http.resources import resources
from shared.http.schemas import AccountSchema, TokenSchema

blueprint = Blueprint("accounts", __name__, description="Whoever plays: people and programs.")

_MOST = 100
_FIRST = UUID(int=0)
_ACCOUNTS: LiteralString = """
    select account_id as id, name, kind, strategy, accepts_seats from accounts
"""


class IdsField(DelimitedList):
    """Ids in one parameter, which has a fault as a whole: none of its parts has a name."""

    def _deserialize(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super()._deserialize(*args, **kwargs)  # type: ignore[no-untyped-call]
        except ValidationError:
            raise ValidationError("Must be ids (UUIDs) with commas between.") from None


class AccountIdsSchema(Schema):
    ids = IdsField(
        fields.UUID(),
        required=True,
        validate=validate.Length(1, _MOST, error=f"Must be 1 to {_MOST} ids."),
        metadata={"description": f"Up to {_MOST} account ids, with commas between."},
    )


class AccountListSchema(Schema):
    items = fields.List(fields.Nested(AccountSchema), required=True)


class BotPageSchema(Schema):
    after = CursorField()
    limit = QueryInt(
        minimum=1,
        maximum=_MOST,
        load_default=20,
        metadata={"description": "So many items at most."},
    )


class BotListSchema(AccountListSchema):
    next = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The `after` of the next page, null on the last."},
    )


class TokenListSchema(Schema):
    items = fields.List(fields.Nested(TokenSchema), required=True)


class AccountIds(TypedDict):
    ids: list[UUID]


class BotPage(TypedDict):
    after: NotRequired[UUID]
    limit: int


@blueprint.route("/v1/accounts")
@blueprint.arguments(AccountIdsSchema, location="query")
@blueprint.response(200, AccountListSchema, example=EXAMPLES["list_accounts"])
def list_accounts(wish: AccountIds) -> dict[str, list[DictRow]]:
    """Name accounts.

    Games hold account ids only; this gives their names. Unknown ids are left out.
    """
    return {"items": _rows(_ACCOUNTS + "where account_id = any(%s)", (wish["ids"],))}


@blueprint.route("/v1/bots")
@refuses("rate_limited", "unavailable")
@blueprint.arguments(BotPageSchema, location="query")
@blueprint.response(200, BotListSchema, example=EXAMPLES["list_bots"])
@leads_to(200, "list_bots", after="next")
def list_bots(wish: BotPage) -> dict[str, object]:
    """List bots that take seats.

    The oldest first. `POST /v1/games/{game_id}/players` gives one a seat in an open game, and
    `POST /v1/games/{game_id}/substitute` the caller's own in a running one.
    """
    found = _rows(
        _ACCOUNTS + "where accepts_seats and account_id > %s order by account_id limit %s",
        (wish.get("after", _FIRST), wish["limit"] + 1),
    )
    items = found[: wish["limit"]]
    return {"items": items, "next": items[-1]["id"] if len(found) > len(items) else None}


@blueprint.route("/v1/me")
@requires("games:read")
@refuses("unauthorized", "missing_scope")
@blueprint.response(200, AccountSchema, example=EXAMPLES["get_me"])
@leads_to(200, "list_accounts", ids="id")
def get_me() -> DictRow:
    """Show one's own account.

    The one that the token in use belongs to.
    """
    (me,) = _rows(_ACCOUNTS + "where account_id = %s", (caller().account_id,))
    return me


@blueprint.route("/v1/me/tokens", tags=["tokens"])
@requires("account")
@refuses("unauthorized", "missing_scope")
@blueprint.response(200, TokenListSchema, example=EXAMPLES["list_tokens"])
@leads_to(200, "revoke_token", token_id="items/0/id")  # noqa: S106  # a place
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
            (caller().account_id,),
        )
    }


def _rows(query: LiteralString, parameters: tuple[object, ...]) -> list[DictRow]:
    with resources().pool.connection() as connection:
        return connection.cursor(row_factory=dict_row).execute(query, parameters).fetchall()
