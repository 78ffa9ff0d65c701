"""What all changes of a game have in common: who may, how often, and on which condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Response

from shared.engine.errors import RuleViolation
from shared.http.auth import requires
from shared.http.blueprint import takes_header
from shared.http.idempotency import idempotent
from shared.http.refusals import kinds_of
from shared.http.versions import ETAGS

View = TypeVar("View", bound=Callable[..., Any])

GUARDED = ("unauthorized", "missing_scope", "not_found", "rate_limited", "unavailable")
"""Codes of every operation here, for `refuses`."""
STORED = (*GUARDED, "bad_request", "bad_idempotency_key", "idempotency_key_reused")
CHANGED = (*STORED, "stale")
RULES = tuple(kinds_of(RuleViolation))


VERSIONED = {
    "ETag": {
        "description": "Of the state in this answer; goes into If-Match.",
        "schema": {"type": "string"},
    }
}
OPENED = VERSIONED | {
    "Location": {
        "description": "The game's address.",
        "schema": {"type": "string", "format": "uri-reference"},
    }
}


def stores_once(view: Callable[..., Response]) -> Callable[..., Response]:
    """Let a player call it, and repeat it safely. Belongs above `arguments`."""
    return requires("games:play")(idempotent(view))


def changes_game(view: Callable[..., Response]) -> Callable[..., Response]:
    """Let a player call it, repeat it safely, and make it depend on the version (If-Match)."""
    conditional = takes_header(
        "If-Match",
        "An ETag of the game. Nothing is changed if it is at another version.",
        pattern=ETAGS,
    )
    return stores_once(conditional(view))
