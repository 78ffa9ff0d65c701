"""What each request under /v1 passes: one round trip counts its quota and reads its token."""

from __future__ import annotations

from typing import cast

import structlog
from flask import Flask, Response, g, request
from redis import RedisError

from shared.http.limits import Standing, client_address
from shared.http.resources import resources
from shared.http.tokens import Account, Token, bearer

_log = structlog.get_logger("admission")


def install(app: Flask) -> None:
    app.before_request(_admit)
    app.after_request(_tell_standing)


def token_account() -> Account | None:
    """Say whose token this request brings; None if it is none of ours or not valid."""
    token: Token | None = g.token
    return resources().tokens.resolve(token.digest, g.cached_token) if token else None


def _admit() -> None:
    """Limit a request by its token, or by its address if it brings none."""
    if not request.path.startswith("/v1/"):
        return
    found = resources()
    token = g.token = bearer(request.headers.get("Authorization"))
    name = "reads" if request.method in {"GET", "HEAD"} else "writes"
    with found.redis.pipeline(transaction=False) as pipe:
        found.limits.ask(pipe, name, token.digest.hex() if token else client_address(), spend=True)
        if token:
            found.tokens.ask(pipe, token.digest)
        try:
            answer, *cached = pipe.execute()
        except RedisError:
            _log.warning("Redis does not answer; nobody is limited")
            g.cached_token = None
            return
    g.cached_token = cast("bytes | None", cached[0]) if cached else None
    g.standing = found.limits.standing(name, answer)
    g.standing.enforce()


def _tell_standing(response: Response) -> Response:
    standing: Standing | None = g.get("standing")
    if standing:
        for header, value in standing.headers().items():
            response.headers.setdefault(header, value)
    return response
