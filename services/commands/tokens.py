"""POST /v1/tokens, POST and DELETE /v1/me/tokens: logging in and out, and tokens for programs."""

from __future__ import annotations

from flask import Response

from services.commands.account_schemas import IssuedTokenSchema, LogInSchema, TokenRequestSchema
from services.commands.account_store import AccountStore, PasswordChangedError, StoredAccount
from services.commands.examples import EXAMPLES
from services.commands.issuing import Terms, issued, new_token
from services.commands.passwords import guesses, matches
from shared.http.addresses import id_of
from shared.http.auth import caller, require_scope, requires
from shared.http.blueprint import Blueprint, refuses
from shared.http.limits import client_address
from shared.http.links import leads_to
from shared.http.problems import Problem
from shared.http.resources import resources

blueprint = Blueprint("tokens", __name__, description="Bearer tokens and what they may do.")

_CURRENT = "current"


class LogIn(Terms):
    name: str
    password: str


@blueprint.route("/v1/tokens", methods=["POST"])
@refuses("wrong_credentials", "rate_limited")
@blueprint.arguments(
    LogInSchema, example={"name": "Dora", "password": "correct horse battery", "label": "phone"}
)
@blueprint.response(201, IssuedTokenSchema, example=EXAMPLES["log_in"])
@leads_to(201, "revoke_token", token_id="token_id")  # noqa: S106  # a place
def log_in(wish: LogIn) -> dict[str, object]:
    """Log in.

    Makes a token by name and password. A program does well to ask for the scopes it needs only.
    """
    resources().limits.spend("login", client_address())
    account = _authenticated(wish["name"], wish["password"])
    token, stored = new_token(wish)
    try:
        _accounts().log_in(account, stored)
    except PasswordChangedError:
        raise _wrong_credentials() from None
    return issued(account, token, stored)


@blueprint.route("/v1/me/tokens", methods=["POST"])
@requires("account")
@refuses("unauthorized", "missing_scope")
@blueprint.arguments(
    TokenRequestSchema,
    example={"label": "a bot", "scopes": ["games:read", "games:play"], "expires_in_days": 30},
)
@blueprint.response(201, IssuedTokenSchema, example=EXAMPLES["create_token"])
@leads_to(201, "revoke_token", token_id="token_id")  # noqa: S106  # a place
def create_token(terms: Terms) -> dict[str, object]:
    """Make a token.

    For a program, say. It can have no scope that the token in use lacks.
    """
    for scope in terms["scopes"]:
        require_scope(scope)
    accounts, me = _accounts(), caller()
    token, stored = new_token(terms)
    accounts.issue(me, stored)
    return issued(accounts.by_id(me.account_id), token, stored)


@blueprint.route(
    "/v1/me/tokens/<token_id>",
    methods=["DELETE"],
    parameters=[
        {"in": "path", "name": "token_id", "description": "The token's id, or `current`."}
        | {"schema": {"type": "string"}}
    ],
)
@requires(None)
@refuses("unauthorized", "missing_scope", "not_found")
@blueprint.response(204)
def revoke_token(token_id: str) -> Response:
    """Revoke a token.

    `current` is the token in use, which may always revoke itself: that is logging out. For any
    other the scope `account` is needed.
    """
    me = caller()
    target = me.token_id if token_id == _CURRENT else id_of(token_id)
    if target != me.token_id:
        require_scope("account")
    revoked = _accounts().revoke(me, target)
    if not revoked:
        raise Problem("not_found")
    resources().tokens.bury(revoked)
    return Response(status=204)


def _authenticated(name: str, password: str) -> StoredAccount:
    """Check a password; whether it is the name that is wrong shows neither in words nor in time."""
    limits = resources().limits
    limits.refuse_if_spent("login_failures", guesses(name))
    account = _accounts().by_name(name)
    if not matches(password, account.password_hash if account else None) or account is None:
        limits.spend("login_failures", guesses(name))
        raise _wrong_credentials()
    return account


def _wrong_credentials() -> Problem:
    return Problem("wrong_credentials", headers={"WWW-Authenticate": "Bearer"})


def _accounts() -> AccountStore:
    return AccountStore(resources().pool)
