"""POST /v1/accounts, and changes below /v1/me: accounts come, change and are erased."""

from __future__ import annotations

from typing import TypedDict

from flask import Response

from services.commands.account_schemas import (
    AccountChangeSchema,
    IssuedTokenSchema,
    PasswordChangeSchema,
    RegistrationSchema,
)
from services.commands.account_store import (
    AccountStore,
    NameTakenError,
    PasswordChangedError,
    StoredAccount,
)
from services.commands.examples import EXAMPLES
from services.commands.issuing import Terms, issued, new_token
from services.commands.passwords import guesses, hashed, matches
from shared.http.auth import caller, requires
from shared.http.blueprint import Blueprint, refuses
from shared.http.limits import client_address
from shared.http.links import leads_to
from shared.http.problems import Problem
from shared.http.resources import resources
from shared.http.schemas import AccountSchema
from shared.http.tokens import SCOPES, AccountKind
from shared.ids import uuid7

blueprint = Blueprint("accounts", __name__, description="Whoever plays: people and programs.")

_EVERYTHING = Terms(label="registration", scopes=SCOPES, expires_in_days=None)


class Registration(TypedDict):
    name: str
    password: str
    kind: AccountKind
    strategy: str | None
    accepts_seats: bool


class Change(TypedDict, total=False):
    name: str
    strategy: str
    accepts_seats: bool


class PasswordChange(TypedDict):
    current_password: str
    password: str


@blueprint.route("/v1/accounts", methods=["POST"])
@refuses("name_taken", "only_bots", "rate_limited")
@blueprint.arguments(
    RegistrationSchema, example={"name": "Dora", "password": "correct horse battery"}
)
@blueprint.response(201, IssuedTokenSchema, example=EXAMPLES["register"])
@leads_to(201, "revoke_token", token_id="token_id")  # noqa: S106  # a place
@leads_to(201, "list_accounts", ids="account/id")
def register(wish: Registration) -> dict[str, object]:
    """Register.

    Makes an account and its first token, which may do everything. No Idempotency-Key here: a
    stored answer would keep the token's secret. After a lost answer, log in.
    """
    _require_profile_of(wish["kind"], wish["strategy"], wish["accepts_seats"])
    resources().limits.spend("register", client_address())
    token, stored = new_token(_EVERYTHING)
    account = StoredAccount(
        uuid7(),
        wish["name"],
        wish["kind"],
        hashed(wish["password"]),
        wish["strategy"],
        wish["accepts_seats"],
    )
    try:
        _accounts().create(account, stored)
    except NameTakenError:
        raise Problem("name_taken") from None
    return issued(account, token, stored)


@blueprint.route("/v1/me", methods=["PATCH"])
@requires("account")
@refuses("unauthorized", "missing_scope", "name_taken", "only_bots")
@blueprint.arguments(AccountChangeSchema, example={"name": "Dorothea"})
@blueprint.response(200, AccountSchema, example=EXAMPLES["change_account"])
def change_account(change: Change) -> StoredAccount:
    """Change the account.

    Its name, and what a bot says of itself. What is left out stays.
    """
    accounts, me = _accounts(), caller()
    _require_profile_of(me.kind, change.get("strategy"), change.get("accepts_seats", False))
    try:
        accounts.change(me, **change)
    except NameTakenError:
        raise Problem("name_taken") from None
    return accounts.by_id(me.account_id)


@blueprint.route("/v1/me/password", methods=["PUT"])
@requires("account")
@refuses("unauthorized", "missing_scope", "wrong_password", "rate_limited")
@blueprint.arguments(
    PasswordChangeSchema,
    example={"current_password": "correct horse battery", "password": "staple by staple"},
)
@blueprint.response(204)
def change_password(change: PasswordChange) -> Response:
    """Change the password.

    All tokens but the one in use are revoked.
    """
    accounts, me = _accounts(), caller()
    account = accounts.by_id(me.account_id)
    _check_current(account, change["current_password"])
    try:
        revoked = accounts.change_password(me, account.password_hash, hashed(change["password"]))
    except PasswordChangedError:
        raise Problem("wrong_password") from None
    resources().tokens.bury(revoked)
    return Response(status=204)


@blueprint.route("/v1/me", methods=["DELETE"])
@requires("account")
@refuses("unauthorized", "missing_scope")
@blueprint.response(204)
def erase_account() -> Response:
    """Erase the account.

    The name, the password and all tokens are forgotten; games keep the account's id alone.
    """
    resources().tokens.bury(_accounts().erase(caller()))
    return Response(status=204)


def _require_profile_of(kind: AccountKind, strategy: str | None, accepts_seats: bool) -> None:
    if kind != "bot" and (strategy is not None or accepts_seats):
        raise Problem("only_bots")


def _check_current(account: StoredAccount, password: str) -> None:
    """Count failures like those of logging in: a stolen token must not help to guess."""
    limits = resources().limits
    limits.refuse_if_spent("login_failures", guesses(account.name))
    if not matches(password, account.password_hash):
        limits.spend("login_failures", guesses(account.name))
        raise Problem("wrong_password")


def _accounts() -> AccountStore:
    return AccountStore(resources().pool)
