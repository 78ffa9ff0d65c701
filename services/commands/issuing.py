"""How a token is issued, whoever asks: by registering, by logging in, or by a token at hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypedDict

from services.commands.account_store import NewToken, StoredAccount
from shared.http.resources import resources
from shared.http.tokens import Scope, Token


class Terms(TypedDict):
    """What a client may choose about a token."""

    label: str
    scopes: Sequence[Scope]
    expires_in_days: int | None


def new_token(terms: Terms) -> tuple[Token, NewToken]:
    """Make a token, and what of it is stored."""
    days = terms["expires_in_days"]
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None
    token = Token.make()
    return token, NewToken.of(token, terms["label"], terms["scopes"], expires_at)


def issued(account: StoredAccount, token: Token, stored: NewToken) -> dict[str, object]:
    """Show a token with its secret, this once, and let it be none that is guessed."""
    resources().tokens.remember(token.digest)
    return {
        "account": account,
        "token": token.secret,
        "token_id": stored.token_id,
        "label": stored.label,
        "scopes": stored.scopes,
        "expires_at": stored.expires_at,
    }
