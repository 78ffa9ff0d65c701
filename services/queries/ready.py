"""Reads that lie ready are answered at the door: going through Flask takes three times as long.

A game's state or a seat's legal moves, for a token and of a game that Redis knows. Whatever else
comes, every refusal too, goes on into the app, which asks Redis again: `sight` says what is shown
in both places.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from flask import Flask
from msgspec import Struct
from redis import RedisError
from werkzeug.http import parse_etags

from services.queries.caching import REVALIDATED, VARY
from services.queries.games import LEGAL_MOVES, STATE
from services.queries.shelf import shelf_of
from services.queries.sight import Kind, Sight, ready
from shared.http import headers
from shared.http.limits import Standing
from shared.http.observe import note, sane_id
from shared.http.resources import resources_of
from shared.http.tokens import Account, Token, bearer
from shared.http.versions import etag

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_ROUTE = "/v1/games/<game_id>"
_PATH = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(/legal-moves)?")
_QUERY = re.compile(r"min_version=(0|[1-9][0-9]{0,8})")
_SCOPE = "games:read"


class _Wish(Struct, frozen=True):
    """What a request wants, if it is one of those that may be answered here."""

    kind: Kind
    route: str
    game_id: UUID
    at_least: int
    token: Token


class _Found(Struct, frozen=True):
    """What it gets."""

    sight: Sight
    account: Account
    standing: Standing


class Door:
    """The WSGI application around the service's own."""

    def __init__(self, app: Flask) -> None:
        self._inside = app.wsgi_app
        self._service = app.name
        self._resources = resources_of(app)
        self._shelf = shelf_of(app)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        started = time.perf_counter()
        wish = _wish(environ)
        found = self._find(wish) if wish else None
        if wish is None or found is None:
            return self._inside(environ, start_response)
        request_id = sane_id(environ.get("HTTP_X_REQUEST_ID", ""))
        tag = etag(found.sight.version, found.sight.seat)
        had = environ.get("HTTP_IF_NONE_MATCH")
        is_same = had is not None and parse_etags(had).contains_weak(tag.strip('"'))
        body = b"" if is_same else found.sight.document
        start_response(
            "304 NOT MODIFIED" if is_same else "200 OK",
            [
                *headers.ALWAYS,
                *(headers.UNLESS_SET | {"Cache-Control": REVALIDATED}).items(),
                *found.standing.headers().items(),
                ("ETag", tag),
                ("Vary", VARY),
                ("X-Request-Id", request_id),
                *([] if is_same else _entity(body)),
            ],
        )
        note(
            service=self._service,
            request_id=request_id,
            method="GET",
            route=wish.route,
            path=environ["PATH_INFO"],
            status=304 if is_same else 200,
            seconds=time.perf_counter() - started,
            account_id=found.account.account_id,
        )
        return [body]

    def _find(self, wish: _Wish) -> _Found | None:
        """Ask as `shared.http.admission` does: quota, token and document in one round trip."""
        limits, tokens, digest = self._resources.limits, self._resources.tokens, wish.token.digest
        guess = self._shelf.guesses.seat(digest, wish.game_id)
        if wish.kind.withholds(guess):
            return None
        fields = [wish.kind.field(guess)]
        try:
            with self._resources.redis.pipeline(transaction=False) as pipe:
                limits.ask(pipe, "reads", digest.hex(), spend=True)
                tokens.ask(pipe, digest)
                self._shelf.games.ask(pipe, wish.game_id, fields)
                allowance, cached, row = pipe.execute()
        except RedisError:
            return None
        standing = limits.standing("reads", allowance)
        account = tokens.resolve(digest, cached) if cached else None
        if account is None or _SCOPE not in account.scopes or not standing.allowed:
            return None
        held = self._shelf.games.answer(row, fields)
        sight = ready(wish.kind, held, str(account.account_id), wish.at_least)
        return None if sight is None else _Found(sight, account, standing)


def _wish(environ: WSGIEnvironment) -> _Wish | None:
    if environ["REQUEST_METHOD"] != "GET" or environ.get("CONTENT_LENGTH"):
        return None
    path = _PATH.fullmatch(environ["PATH_INFO"])
    query = environ.get("QUERY_STRING")
    least = _QUERY.fullmatch(query) if query else None
    token = bearer(environ.get("HTTP_AUTHORIZATION"))
    if path is None or token is None or (query and least is None):
        return None
    kind, route = (LEGAL_MOVES, f"{_ROUTE}/legal-moves") if path[2] else (STATE, _ROUTE)
    return _Wish(kind, route, UUID(path[1]), int(least[1]) if least else 0, token)


def _entity(body: bytes) -> list[tuple[str, str]]:
    return [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
