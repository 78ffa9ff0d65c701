"""Reads that lie ready: a game's state, or a seat's legal moves, of a game that Redis knows.

`sight` says what is shown, here and in the app.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from uuid import UUID

from flask import Flask
from msgspec import Struct
from werkzeug.http import parse_etags

from services.queries.caching import REVALIDATED, VARY
from services.queries.games import LEGAL_MOVES, STATE
from services.queries.shelf import shelf_of
from services.queries.sight import Kind, Sight, ready
from shared.http.admission import ASKED
from shared.http.answer import Answer
from shared.http.door import Answered, Door
from shared.http.tokens import Token, bearer
from shared.http.versions import etag

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_ROUTE = "/v1/games/<game_id>"
_PATH = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(/legal-moves)?")
_QUERY = re.compile(r"min_version=(0|[1-9][0-9]{0,8})")


class _Wish(Struct, frozen=True):
    """What a request wants, if it is one of those that may be answered here."""

    kind: Kind
    route: str
    game_id: UUID
    at_least: int
    token: Token


class ReadingDoor(Door):
    quota = "reads"
    scope = "games:read"

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self._shelf = shelf_of(app)

    def answer(self, environ: WSGIEnvironment, request_id: str) -> Answered | None:  # noqa: ARG002
        """Answer from Redis alone. Another seat than one guessed is asked for by the app."""
        wish = _wish(environ)
        if wish is None:
            return None
        guess = self._shelf.guesses.seat(wish.token.digest, wish.game_id)
        if wish.kind.withholds(guess):
            return None
        fields = [wish.kind.field(guess)]
        asked = self.ask(wish.token, lambda pipe: self._shelf.games.ask(pipe, wish.game_id, fields))
        if asked.reads is None:
            environ[ASKED] = asked  # Redis is silent; the app need not wait for it again
            return None
        admitted = self.admitted(asked)
        if admitted is None:
            return None
        held = self._shelf.games.answer(asked.reads[0], fields)
        sight = ready(wish.kind, held, str(admitted.account.account_id), wish.at_least)
        if sight is None:
            return None
        return Answered(_shown(sight, environ.get("HTTP_IF_NONE_MATCH")), admitted, wish.route)


def _shown(sight: Sight, had: str | None) -> Answer:
    tag = etag(sight.version, sight.seat)
    headers = {"ETag": tag, "Vary": VARY, "Cache-Control": REVALIDATED}
    if had is not None and parse_etags(had).contains_weak(tag.strip('"')):
        return Answer(304, b"", headers)
    return Answer(200, sight.document, {"Content-Type": "application/json", **headers})


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
