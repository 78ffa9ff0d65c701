"""Rate limits, counted in Redis and so shared by all workers.

A quota is an amount that may be used at once and comes back evenly over its seconds (the "generic
cell rate algorithm"): one number per client and purpose, one round trip. Without Redis nobody is
limited: a lost cache must not stop a game.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import structlog
from flask import request
from redis import Redis, RedisError

from shared.http.problems import Problem

_log = structlog.get_logger("limits")

# Kept is the moment at which the whole quota will be back, in microseconds.
_SCRIPT = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local window = ARGV[2] * 1000000
local step = math.floor(window / ARGV[1])
local whole = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
local lacking = whole + step - now
if lacking > window then
    return {0, 0, lacking - window}
end
if ARGV[3] == '1' then
    redis.call('SET', KEYS[1], string.format('%.0f', whole + step),
               'PX', math.ceil(lacking / 1000))
end
return {1, math.floor((window - lacking) / step), lacking}
"""


@dataclass(frozen=True, slots=True)
class Quota:
    amount: int
    seconds: int


DEFAULTS: Mapping[str, Quota] = {
    "reads": Quota(30000, 60),  # per token, or per address without a valid one
    "writes": Quota(12000, 60),  # likewise; apart, so that reads never use up a move
    "register": Quota(3000, 3600),  # per address
    "login": Quota(600, 300),  # per address
    "login_failures": Quota(20, 300),  # per name and address
    "token_guesses": Quota(60, 60),  # unknown tokens, per address
}
_COUNTED = {
    "register": "new accounts",
    "login": "log-ins",
    "login_failures": "wrong passwords",
    "token_guesses": "unknown tokens",
}
"""What a quota counts, in the words of its refusal, if its name does not say it."""


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
    """How much of a quota is left to one client, and when it has more, or all, again."""

    name: str
    quota: Quota
    allowed: bool
    remaining: int
    seconds: int

    def headers(self) -> dict[str, str]:
        """Tell the client, as draft-ietf-httpapi-ratelimit-headers has it."""
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.quota.amount};w={self.quota.seconds}',
            "RateLimit": f'"{self.name}";r={self.remaining};t={self.seconds}',
        }

    def enforce(self) -> None:
        if not self.allowed:
            raise Problem(
                "rate_limited",
                f"More than {self.quota.amount} {_COUNTED.get(self.name, self.name)} in "
                f"{self.quota.seconds} seconds; go on in {self.seconds} s.",
                headers={"Retry-After": str(self.seconds), **self.headers()},
            )


class RateLimits:
    def __init__(self, redis: Redis, table: Mapping[str, Quota]) -> None:
        self._redis = redis
        self._table = table

    def spend(self, name: str, key: str) -> None:
        """Count one use, or refuse it with 429 when the quota is used up."""
        if standing := self.count(name, key):
            standing.enforce()

    def count(self, name: str, key: str) -> Standing | None:
        """Count one use, and leave it to the caller what follows; None without Redis."""
        return self._measure(name, key, spend=True)

    def refuse_if_spent(self, name: str, key: str) -> None:
        """Refuse without counting: what is counted are failures, known only later."""
        if standing := self._measure(name, key, spend=False):
            standing.enforce()

    def ask(self, client: Redis, name: str, key: str, *, spend: bool) -> object:
        """Send the question, or put it into a pipeline; `standing` reads the answer."""
        quota = self._table[name]
        return client.eval(
            _SCRIPT, 1, f"quota:{name}:{key}", quota.amount, quota.seconds, int(spend)
        )

    def standing(self, name: str, answer: object) -> Standing:
        allowed, remaining, microseconds = cast("list[int]", answer)
        seconds = -(-microseconds // 1_000_000)
        return Standing(name, self._table[name], bool(allowed), remaining, seconds)

    def _measure(self, name: str, key: str, *, spend: bool) -> Standing | None:
        try:
            answer = self.ask(self._redis, name, key, spend=spend)
        except RedisError:
            _log.warning("rate limit skipped", limit=name)
            return None
        return self.standing(name, answer)


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
