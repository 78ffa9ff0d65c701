"""What each request under /v1 passes: one round trip counts its quota and reads its token.

A view may let its own reads travel along: see `prefetches`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import structlog
from flask import Flask, Response, current_app, g, request
from redis import Redis, RedisError

from shared.http.headers import add_unless_set
from shared.http.limits import Standing, client_address
from shared.http.resources import resources
from shared.http.tokens import Account, Token, bearer

View = TypeVar("View", bound=Callable[..., Any])

_log = structlog.get_logger("admission")


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
    return cast("list[Any] | None", g.prefetched)


def token_account() -> Account | None:
    """Say whose token this request brings; None if it is none of ours or not valid."""
    token: Token | None = g.token
    return resources().tokens.resolve(token.digest, g.cached_token) if token else None


def _admit() -> None:
    """Limit a request by its token, or by its address if it brings none."""
    if not request.path.startswith("/v1/"):
        return
    token = bearer(request.headers.get("Authorization"))
    g.token, g.cached_token, g.prefetched = token, None, None
    found = resources()
    name = "reads" if request.method in {"GET", "HEAD"} else "writes"
    with found.redis.pipeline(transaction=False) as pipe:
        found.limits.ask(pipe, name, token.digest.hex() if token else client_address(), spend=True)
        if token:
            found.tokens.ask(pipe, token.digest)
        try:
            _queue_prefetch(pipe)
            answer, *answers = pipe.execute()
        except RedisError:
            _log.warning("Redis does not answer; nobody is limited")
            return
    if token:
        g.cached_token = answers.pop(0)
    g.prefetched = answers
    g.standing = standing = found.limits.standing(name, answer)
    standing.enforce()


def _queue_prefetch(pipe: Redis) -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    if queue := getattr(view, "prefetch", None):
        queue(pipe, **(request.view_args or {}))


def _tell_standing(response: Response) -> Response:
    standing: Standing | None = g.get("standing")
    return add_unless_set(response, standing.headers()) if standing else response
