"""Idempotency-Key: a repeated request gets the first answer again, and nothing happens twice.

The answer is stored in the transaction of the events it reports, so there is never one without the
other. The key is looked up before anything else is asked, and again by the store under its lock.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast
from uuid import UUID

import msgspec
from flask import Response, g, request

from shared.eventstore.canonical import canonical
from shared.eventstore.store import RequestKeyTaken, StoredRequest
from shared.http.auth import caller
from shared.http.blueprint import strict_json, takes_header
from shared.http.problems import Problem
from shared.http.resources import resources

_KEY = re.compile("[!-~]{1,255}")
_KEPT = ("Content-Type", "ETag", "Location")


class _Answer(msgspec.Struct, frozen=True):
    """What is stored of an answer: the body and the headers that belong to it."""

    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Intent:
    """What a client wants done once: a retry under the same key is the same intent."""

    command_id: bytes
    account_id: UUID
    key: str | None
    request_hash: bytes

    def stored(self, answer: Response) -> StoredRequest | None:
        """Make the row to append with the events; None without a key: nobody can ask for it."""
        if self.key is None:
            return None
        kept = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
        packed = msgspec.msgpack.encode(_Answer(answer.get_data(), kept))
        return StoredRequest(
            self.account_id, self.key, self.request_hash, answer.status_code, packed
        )

    def replay(self) -> Response | None:
        """Give the stored answer, if there is one; a key used for another request is refused."""
        if self.key is None:
            return None
        found = resources().store.find_request(self.account_id, self.key)
        if found is None:
            return None
        if found.request_hash != self.request_hash:
            raise Problem("idempotency_key_reused")
        answer = msgspec.msgpack.decode(found.answer, type=_Answer)
        replayed = Response(answer.body, found.status, answer.headers)
        replayed.headers["Idempotent-Replayed"] = "true"
        return replayed


def intent() -> Intent:
    """Return the intent of a view under `idempotent`."""
    return cast(Intent, g.intent)


def idempotent(view: Callable[..., Response]) -> Callable[..., Response]:
    """Answer a repeated request from the store. Belongs under `requires`, above `arguments`.

    The view appends under `intent().command_id`, with `intent().stored(answer)` as request row.
    """

    @wraps(view)
    def once(*args: Any, **kwargs: Any) -> Response:
        g.intent = _intent()
        if replayed := g.intent.replay():
            return cast(Response, replayed)
        try:
            return view(*args, **kwargs)
        except (RequestKeyTaken, Problem):  # perhaps for a twin of this request, stored meanwhile
            if replayed := g.intent.replay():
                return cast(Response, replayed)
            raise

    return takes_header(
        "Idempotency-Key",
        "Makes a retry safe: the same key and request get the first answer again, for at least "
        "24 hours.",
        pattern=f"^{_KEY.pattern}$",
    )(once)


def _intent() -> Intent:
    account_id = caller().account_id
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return Intent(secrets.token_bytes(16), account_id, None, b"")
    if not _KEY.fullmatch(key):
        raise Problem("bad_idempotency_key")
    return Intent(command_id(account_id, key), account_id, key, _request_hash())


def command_id(account_id: UUID, key: str) -> bytes:
    """Derive the events' command id, so that the unique key on it backs the look-up."""
    return hashlib.sha256(f"{account_id}\0{key}".encode()).digest()[:16]


def _request_hash() -> bytes:
    """Digest method, path and body; the body in canonical form, so that spacing does not count."""
    body = canonical(strict_json()) if request.get_data() else ""
    return hashlib.sha256(f"{request.method}\0{request.path}\0{body}".encode()).digest()
