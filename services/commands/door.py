"""Moves that are plainly in order, of somebody whose token Redis knows.

`changing` says what becomes of a move, here and in the app.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING
from uuid import UUID

import flask
from msgspec import Struct

from services.commands.changing import Request
from services.commands.desk import changes_of
from services.commands.game_schemas import DECISION_ID
from services.commands.moves import moving
from shared.engine.commands import Command
from shared.eventstore.canonical import canonical
from shared.eventstore.store import RequestKeyTaken
from shared.http import json_body
from shared.http.admission import ASKED
from shared.http.door import Answered, Door
from shared.http.idempotency import Intent, intent_of, said
from shared.http.problems import Problem
from shared.http.tokens import Token, bearer
from shared.http.versions import wanted_versions
from shared.wire.moves import MalformedMove, decode_move

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_ROUTE = "/v1/games/<game_id>/moves"
_PATH = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/moves")
_DECISION_ID = re.compile(DECISION_ID)
_NAMES = {"move", "decision_id"}
_FAILURE = "puertorico.failure"


class _Wish(Struct, frozen=True):
    """A move that somebody wants to make."""

    game_id: UUID
    token: Token
    body: dict[str, json_body.Json]
    command: Command
    decision_id: str | None


class MovingDoor(Door):
    quota = "writes"
    scope = "games:play"

    def __init__(self, app: flask.Flask) -> None:
        super().__init__(app)
        self._changes = changes_of(app)
        app.before_request(_go_on_failing)

    def answer(self, environ: WSGIEnvironment, request_id: str) -> Answered | None:
        """Make the move. Of a refusal the app finds out anew, since nothing has happened.

        After any other failure nobody knows if something has, so that it is not tried twice.
        """
        wish = _wish(environ)
        if wish is None:
            return None
        environ[ASKED] = asked = self.ask(wish.token)
        admitted = self.admitted(asked)
        if admitted is None:
            return None
        try:
            wanted = wanted_versions(environ.get("HTTP_IF_MATCH"))
            intent = _intent(environ, admitted.account.account_id, wish)
            request = Request(admitted.account, intent, request_id, wanted)
            move = moving(wish.command, wish.decision_id)
            made = self._changes.change(request, wish.game_id, move)
        except (Problem, RequestKeyTaken):
            return None
        except Exception as failure:  # noqa: BLE001  # the app says what that means
            environ[_FAILURE] = failure
            return None
        return Answered(made, admitted, _ROUTE)


def _go_on_failing() -> None:
    """Raise in the app what the door met."""
    if failure := flask.request.environ.get(_FAILURE):
        raise failure


def _wish(environ: WSGIEnvironment) -> _Wish | None:
    if environ["REQUEST_METHOD"] != "POST" or environ.get("QUERY_STRING"):
        return None
    path = _PATH.fullmatch(environ["PATH_INFO"])
    token = bearer(environ.get("HTTP_AUTHORIZATION"))
    if path is None or token is None or not _is_plain(environ):
        return None
    try:
        return _read(UUID(path[1]), token, _body(environ))
    except (Problem, MalformedMove):
        return None


def _intent(environ: WSGIEnvironment, account_id: UUID, wish: _Wish) -> Intent:
    key, path = environ.get("HTTP_IDEMPOTENCY_KEY"), environ["PATH_INFO"]
    return intent_of(account_id, key, lambda: said("POST", path, canonical(wish.body)))


def _is_plain(environ: WSGIEnvironment) -> bool:
    """Whether there is a body, of a length that is told, in JSON and nothing around it."""
    length = environ.get("CONTENT_LENGTH") or ""
    return (
        length.isdecimal()
        and int(length) <= json_body.MAX_BYTES
        and environ.get("CONTENT_TYPE") == "application/json"
        and "HTTP_CONTENT_ENCODING" not in environ
    )


def _body(environ: WSGIEnvironment) -> bytes:
    """Read it, and leave it for the app to read again."""
    body: bytes = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    environ["wsgi.input"] = BytesIO(body)
    return body


def _read(game_id: UUID, token: Token, raw: bytes) -> _Wish | None:
    """Read what the app's schema lets through; a null, which that never does, is left to it."""
    body = json_body.parse(raw)
    if not isinstance(body, dict) or not body.keys() <= _NAMES or b"null" in raw:
        return None
    match body.get("decision_id"):
        case None as decision_id:
            pass
        case str() as decision_id if _DECISION_ID.fullmatch(decision_id):
            pass
        case _:
            return None
    return _Wish(game_id, token, body, decode_move(body.get("move")), decision_id)
