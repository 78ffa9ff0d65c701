"""Rate limits, counted in Redis by moving windows and so shared by all workers.

Without Redis nobody is limited: a lost cache must not stop a game.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from flask import Flask, Response, g, request
from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis import Redis, RedisError

from shared.http.problems import Problem
from shared.http.tokens import bearer

_log = structlog.get_logger("limits")


@dataclass(frozen=True, slots=True)
class Quota:
    amount: int
    seconds: int


DEFAULTS: Mapping[str, Quota] = {
    "reads": Quota(3000, 60),  # per token, or per address without one
    "writes": Quota(1200, 60),  # likewise; apart, so that reads never use up a move
    "register": Quota(120, 3600),  # per address
    "login": Quota(60, 300),  # per address
    "login_failures": Quota(20, 300),  # per name
    "token_guesses": Quota(60, 60),  # unknown tokens, per address
}


def quotas(overrides: str) -> dict[str, Quota]:
    """Lay the setting `RATE_LIMITS` over the defaults, such as `register=10/3600, reads=600/60`."""
    changed = dict(DEFAULTS)
    for part in filter(None, overrides.split(",")):
        name, _, quota = part.strip().partition("=")
        amount, _, seconds = quota.partition("/")
        if name not in DEFAULTS:
            raise ValueError(f"RATE_LIMITS names {name!r}; known are {', '.join(DEFAULTS)}.")
        changed[name] = Quota(int(amount), int(seconds))
    return changed


@dataclass(frozen=True, slots=True)
class Standing:
    """How much of a quota is left to one key, and in how many seconds there will be more."""

    name: str
    quota: Quota
    remaining: int
    reset: int

    def headers(self) -> dict[str, str]:
        """Tell the client, as draft-ietf-httpapi-ratelimit-headers has it."""
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.quota.amount};w={self.quota.seconds}',
            "RateLimit": f'"{self.name}";r={self.remaining};t={self.reset}',
        }


class RateLimits:
    def __init__(self, redis: Redis, table: Mapping[str, Quota]) -> None:
        self._windows = MovingWindowRateLimiter(
            RedisStorage("redis://", connection_pool=redis.connection_pool)
        )
        self._table = table

    def spend(self, name: str, key: str) -> Standing | None:
        """Count one use, or refuse it with 429 when the quota is used up."""
        return self._apply(name, key, cost=1)

    def refuse_if_spent(self, name: str, key: str) -> None:
        """Refuse without counting: what is counted are failures, known only later."""
        self._apply(name, key, cost=0)

    def _apply(self, name: str, key: str, cost: int) -> Standing | None:
        quota = self._table[name]
        item = RateLimitItemPerSecond(quota.amount, quota.seconds, name)
        try:
            allowed = self._windows.hit(item, key) if cost else self._windows.test(item, key)
            stats = self._windows.get_window_stats(item, key)
        except RedisError:
            _log.warning("rate limit skipped", limit=name)
            return None
        reset = max(1, math.ceil(stats.reset_time - time.time()))
        standing = Standing(name, quota, max(0, stats.remaining), reset)
        if not allowed:
            raise Problem(
                "rate_limited",
                f"More than {quota.amount} in {quota.seconds} seconds ({name}).",
                headers={"Retry-After": str(reset), **standing.headers()},
            )
        return standing


def client_address() -> str:
    """Name the client's network: an IPv6 host usually has the whole /64 to itself."""
    text = request.remote_addr or "unknown"
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return text


def install(app: Flask, limits: RateLimits) -> None:
    """Limit every request under /v1 by its token, or by its address if it brings none."""

    def count() -> None:
        if not request.path.startswith("/v1/"):
            return
        token = bearer(request.headers.get("Authorization"))
        name = "reads" if request.method in {"GET", "HEAD"} else "writes"
        g.standing = limits.spend(name, token.digest.hex() if token else client_address())

    def tell(response: Response) -> Response:
        standing: Standing | None = g.get("standing")
        if standing:
            for header, value in standing.headers().items():
                response.headers.setdefault(header, value)
        return response

    app.before_request(count)
    app.after_request(tell)
