"""Bearer tokens: what they look like, and whose they are.

Only a token's SHA-256 is stored. Its account is looked up in Redis, and in Postgres on a miss. A
revocation commits in Postgres and then leaves a tombstone in Redis, which a fill never replaces: a
reader that saw the token in Postgres just before cannot bring it back.

Redis also remembers, for far longer, which tokens there are: to look up one of these is no guess.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Iterable
from typing import Literal, get_args
from uuid import UUID

import msgspec
import structlog
from redis import Redis, RedisError

from shared.eventstore.pool import Pool

Scope = Literal["games:read", "games:play", "account"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
AccountKind = Literal["human", "bot"]
"""As the account says of itself."""

_FORM = re.compile(r"pr_[A-Za-z0-9_-]{43}")
_TOMBSTONE = b"revoked"
_FRESH_SECONDS = 60
_TOMBSTONE_SECONDS = 3600
"""Far longer than a look-up in Postgres can take, so no fill outlives the tombstone."""
_KNOWN_SECONDS = 7 * 24 * 3600

_log = structlog.get_logger("tokens")


class Token(msgspec.Struct, frozen=True):
    """A token as the client holds it; `secret` goes out once and is never stored or logged."""

    secret: str
    digest: bytes

    @classmethod
    def of(cls, secret: str) -> Token:
        return cls(secret, hashlib.sha256(secret.encode()).digest())

    @classmethod
    def make(cls) -> Token:
        return cls.of("pr_" + secrets.token_urlsafe(32))


def bearer(authorization: str | None) -> Token | None:
    """Read an Authorization header; None if it holds nothing that could be one of our tokens."""
    scheme, _, secret = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not _FORM.fullmatch(secret.strip()):
        return None
    return Token.of(secret.strip())


class TokenEndedError(Exception):
    """The token was valid when its request came, and has been revoked since."""


class Account(msgspec.Struct, frozen=True):
    """Whoever makes a request, by which token."""

    account_id: UUID
    kind: AccountKind
    token_id: UUID
    scopes: frozenset[Scope]
    expires: float | None
    """Seconds since 1970."""


_decode = msgspec.json.Decoder(Account).decode
_SELECT = """
    select account_id, kind, token_id, scopes, extract(epoch from expires_at)::float8
    from es.tokens join es.accounts using (account_id)
    where token_hash = %s and revoked_at is null
"""


class TokenDirectory:
    def __init__(self, redis: Redis, pool: Pool) -> None:
        self._redis = redis
        self._pool = pool

    @staticmethod
    def ask(client: Redis, digest: bytes) -> object:
        """Ask Redis, or put the question into a pipeline; `held` takes the answer."""
        return client.get(_key(digest))

    @staticmethod
    def held(cached: bytes | None) -> Account | None:
        """Say whose token this is, if Redis holds that it is valid."""
        if cached is None or cached == _TOMBSTONE:
            return None
        return _unless_expired(_decode(cached))

    def look_up(self, digest: bytes) -> Account | None:
        """Ask Postgres whose token this is, and keep the answer; None if it is not valid."""
        with self._pool.connection() as connection:
            row = connection.execute(_SELECT, (digest,)).fetchone()
        if row is None:
            return None
        account_id, kind, token_id, scopes, expires = row
        account = Account(account_id, kind, token_id, frozenset(scopes), expires)
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                pipe.set(_key(digest), msgspec.json.encode(account), nx=True, ex=_FRESH_SECONDS)
                pipe.set(_known(digest), b"", ex=_KNOWN_SECONDS)
                pipe.execute()
        except RedisError:
            _log.warning("token not cached")
        return _unless_expired(account)

    def remember(self, digest: bytes) -> None:
        """Note that there is such a token."""
        try:
            self._redis.set(_known(digest), b"", ex=_KNOWN_SECONDS)
        except RedisError:
            _log.warning("token not remembered")

    def is_remembered(self, digest: bytes) -> bool:
        try:
            return bool(self._redis.exists(_known(digest)))
        except RedisError:
            return True  # nobody is limited then

    def bury(self, digests: Iterable[bytes]) -> None:
        """Make a committed revocation count at once.

        If Redis is down, what it holds can be believed for a minute more at most.
        """
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                for digest in digests:
                    pipe.set(_key(digest), _TOMBSTONE, ex=_TOMBSTONE_SECONDS)
                    pipe.delete(_known(digest))
                pipe.execute()
        except RedisError:
            _log.warning("tombstone not written")


def _unless_expired(account: Account) -> Account | None:
    return None if account.expires is not None and account.expires <= time.time() else account


def _key(digest: bytes) -> str:
    return f"token:{digest.hex()}"


def _known(digest: bytes) -> str:
    return f"known:{digest.hex()}"
