"""What each request under /v1 passes: one round trip counts its quota and reads its token.

A token that Redis does not know counts as none, by its address, so that made-up tokens have no
quota each; unless Postgres knows it, which is asked where that matters.

A view may let its own reads travel along: see `prefetches`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import structlog
from flask import Flask, Response, current_app, g, request
from msgspec import Struct
from redis import RedisError
from redis.client import Pipeline

from shared.http.headers import add_unless_set
from shared.http.limits import Standing, client_address
from shared.http.resources import Resources, resources
from shared.http.tokens import Account, Token, bearer

View = TypeVar("View", bound=Callable[..., Any])

Queue = Callable[[Pipeline], None]
"""Puts what else is to be asked into the pipeline."""
ASKED = "puertorico.asked"
"""Where in its environment a request may bring what was asked about it already."""

_log = structlog.get_logger("admission")


class Asked(Struct, frozen=True):
    """What Redis says of a request; nothing if it does not answer."""

    standing: Standing | None = None
    """How much of its quota is left."""
    token: bytes | None = None
    """What is held of its token."""
    reads: list[Any] | None = None
    """The answers to what else was asked, in order."""


def ask(found: Resources, quota: str, token: Token | None, queue: Queue) -> Asked:
    """Count a request by its token, or by its address if it brings none; one round trip."""
    with found.redis.pipeline(transaction=False) as pipe:
        key = token.digest.hex() if token else client_address()
        found.limits.ask(pipe, quota, key, spend=True)
        if token:
            found.tokens.ask(pipe, token.digest)
        try:
            queue(pipe)
            allowance, *answers = pipe.execute()
        except RedisError:
            _log.warning("Redis does not answer; nobody is limited")
            return Asked()
    held = answers.pop(0) if token else None
    return Asked(found.limits.standing(quota, allowance), held, answers)


def install(app: Flask) -> None:
    app.before_request(_admit)
    app.after_request(_tell_standing)


def prefetches(queue: Callable[..., None]) -> Callable[[View], View]:
    """Send a view's reads along: `queue(pipe, **view_args)` puts them into the pipeline.

    The view finds the answers by `prefetched()`.
    """

    def decorate(view: View) -> View:
        view.prefetch = queue  # type: ignore[attr-defined]  # decorators above copy it by `wraps`
        return view

    return decorate


def prefetched() -> list[Any] | None:
    """Return the answers to this view's reads, in order; None if Redis does not answer."""
    asked: Asked = g.admission
    return asked.reads


def token_account() -> Account | None:
    """Say whose token this request brings; None if it is none of ours or not valid.

    That counts as a guess. Whoever makes many is told to wait.
    """
    account = g.holder or _look_up()
    if account is None:
        resources().limits.spend("token_guesses", client_address())
    return account


def _look_up() -> Account | None:
    """Ask Postgres about a token of which Redis holds nothing, not even that it has ended.

    Not for whoever has guessed too much; but others at his address are still let in by tokens that
    are remembered.
    """
    asked: Asked = g.admission
    if g.token is None or asked.token is not None:
        return None
    found = resources()
    if asked.standing and not found.tokens.is_remembered(g.token.digest):
        found.limits.refuse_if_spent("token_guesses", client_address())
    g.holder = found.tokens.look_up(g.token.digest)
    if g.holder:
        g.standing = asked.standing
    return cast("Account | None", g.holder)


def _admit() -> None:
    """Limit a request, and keep what was asked along with that."""
    if not request.path.startswith("/v1/"):
        return
    quota = "reads" if request.method in {"GET", "HEAD"} else "writes"
    g.token = bearer(request.headers.get("Authorization"))
    asked: Asked | None = request.environ.get(ASKED)
    if asked is None:
        asked = ask(resources(), quota, g.token, _queue_prefetch)
    g.admission, g.standing = asked, asked.standing
    g.holder = resources().tokens.held(asked.token)
    if asked.standing:
        asked.standing.enforce()
        if g.token and not g.holder:
            _count_by_address(quota)


def _count_by_address(quota: str) -> None:
    """Let in who brings a token that Redis does not know: by his address, or by Postgres's word."""
    g.standing = standing = resources().limits.count(quota, client_address())
    if standing and not standing.allowed and not token_account():
        standing.enforce()


def _queue_prefetch(pipe: Pipeline) -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    if queue := getattr(view, "prefetch", None):
        queue(pipe, **(request.view_args or {}))


def _tell_standing(response: Response) -> Response:
    standing: Standing | None = g.get("standing")
    return add_unless_set(response, standing.headers()) if standing else response
