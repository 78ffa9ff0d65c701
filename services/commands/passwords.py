"""Password hashes: argon2id, slow on purpose, and equally slow for names that do not exist.

A hash freezes all greenlets of a gevent worker, so only this service, which runs in threads, makes
any. The parameters are OWASP's for argon2id: 19 MiB each, so that a burst does not eat the memory.
"""

from __future__ import annotations

import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from shared.http.limits import client_address

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_NOBODY = _hasher.hash("the password of an account that does not exist")


def guesses(name: str) -> str:
    """Name what guesses at one account's password are counted by.

    The client's network is in it, or anybody could keep the owner out.
    """
    return f"{name.lower()} {client_address()}"


def hashed(password: str) -> str:
    return _hasher.hash(_normal(password))


def matches(password: str, stored: str | None) -> bool:
    """Compare; without a stored hash do the same work and say no, so that time tells nothing."""
    try:
        _hasher.verify(stored or _NOBODY, _normal(password))
    except VerifyMismatchError:
        return False
    return stored is not None


def _normal(password: str) -> str:
    """Keyboards differ in how they compose letters; the person typed the same."""
    return unicodedata.normalize("NFC", password)
