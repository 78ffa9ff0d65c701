"""Idempotency-Key: a repeated request gets the first answer again, and nothing happens twice.

The answer is stored in the transaction of the events it reports, so there is never one without the
other. The key is looked up before anything else is asked, and again by the store under its lock.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import wraps
from random import randbytes
from typing import Any, cast
from uuid import UUID

from flask import Response, g, request
from msgspec import Struct, msgpack

from shared.eventstore.canonical import canonical
from shared.eventstore.store import EventStore, RequestKeyTaken, StoredRequest
from shared.http.answer import Answer
from shared.http.auth import caller
from shared.http.blueprint import strict_json, takes_header
from shared.http.problems import Problem
from shared.http.resources import resources

_KEY = re.compile("[!-~]{1,255}")


class _Kept(Struct, frozen=True):
    """What is stored of an answer beside its status."""

    body: bytes
    headers: dict[str, str]


class Intent(Struct, frozen=True):
    """What a client wants done once: a retry under the same key is the same intent."""

    command_id: bytes
    account_id: UUID
    key: str | None
    request_hash: bytes

    def stored(self, answer: Answer) -> StoredRequest | None:
        """Make the row to append with the events; None without a key: nobody can ask for it."""
        if self.key is None:
            return None
        packed = msgpack.encode(_Kept(answer.body, answer.headers))
        return StoredRequest(self.account_id, self.key, self.request_hash, answer.status, packed)

    def replay(self, store: EventStore) -> Answer | None:
        """Give the stored answer, if there is one; a key used for another request is refused."""
        if self.key is None:
            return None
        found = store.find_request(self.account_id, self.key)
        if found is None:
            return None
        if found.request_hash != self.request_hash:
            raise Problem("idempotency_key_reused")
        kept = msgpack.decode(found.answer, type=_Kept)
        return replayed(Answer(found.status, kept.body, kept.headers))


def replayed(first: Answer) -> Answer:
    """Mark an answer that was given before."""
    return Answer(first.status, first.body, first.headers | {"Idempotent-Replayed": "true"})


def intent() -> Intent:
    """Return the intent of a view under `idempotent`."""
    return cast(Intent, g.intent)


def idempotent(view: Callable[..., Response]) -> Callable[..., Response]:
    """Answer a repeated request from the store. Belongs under `requires`, above `arguments`.

    The view appends under `intent().command_id`, with `intent().stored(answer)` as request row.
    """

    @wraps(view)
    def once(*args: Any, **kwargs: Any) -> Response:
        g.intent = own = _intent()
        if told := own.replay(resources().store):
            return told.response()
        try:
            return view(*args, **kwargs)
        except (RequestKeyTaken, Problem):  # perhaps for a twin of this request, stored meanwhile
            if told := own.replay(resources().store):
                return told.response()
            raise

    return takes_header(
        "Idempotency-Key",
        "Makes a retry safe: the same key and request get the first answer again, for at least "
        "24 hours.",
        pattern=f"^{_KEY.pattern}$",
    )(once)


def intent_of(account_id: UUID, key: str | None, said: Callable[[], str]) -> Intent:
    """Make the intent of an account's request; what it has said is asked for if there is a key."""
    if key is None:
        return Intent(randbytes(16), account_id, None, b"")  # noqa: S311  # one's own, no secret
    if not _KEY.fullmatch(key):
        raise Problem("bad_idempotency_key")
    digest = hashlib.sha256(said().encode()).digest()
    return Intent(command_id(account_id, key), account_id, key, digest)


def command_id(account_id: UUID, key: str) -> bytes:
    """Derive the events' command id, so that the unique key on it backs the look-up."""
    return hashlib.sha256(f"{account_id}\0{key}".encode()).digest()[:16]


def _intent() -> Intent:
    return intent_of(caller().account_id, request.headers.get("Idempotency-Key"), _said)


def _said() -> str:
    body = canonical(strict_json()) if request.get_data() else ""
    return said(request.method, request.path, body)


def said(method: str, path: str, body: str) -> str:
    """Put down what a request says; the body in canonical form, so that spacing does not count."""
    return f"{method}\0{path}\0{body}"
