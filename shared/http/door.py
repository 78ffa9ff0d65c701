"""A WSGI layer around a service's app that answers the plainest requests itself.

Going through Flask, flask-smorest and webargs takes several times as long as what such a request
asks for. A door never refuses: whatever is not plainly in order goes on into the app, so there is
one place that says no (docs/decisions/0015, 0016).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import structlog
from flask import Flask
from msgspec import Struct

from shared.http import headers
from shared.http.admission import Asked, Queue, ask
from shared.http.answer import Answer
from shared.http.limits import Standing
from shared.http.observe import note, sane_id
from shared.http.resources import resources_of
from shared.http.tokens import Account, Scope, Token
from shared.tracing import Off, traces

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_STATUS = {200: "200 OK", 201: "201 CREATED", 304: "304 NOT MODIFIED"}


class Admitted(Struct, frozen=True):
    """Whom a door may answer."""

    account: Account
    standing: Standing


class Answered(Struct, frozen=True):
    """What goes out, and to whom; the route is for the metrics."""

    answer: Answer
    admitted: Admitted
    route: str


class Door:
    """The application in the place of the app's own."""

    quota: str
    scope: Scope

    def __init__(self, app: Flask) -> None:
        self._inside = app.wsgi_app
        self._service = app.name
        self._resources = resources_of(app)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        started = time.perf_counter()
        request_id = sane_id(environ.get("HTTP_X_REQUEST_ID", ""))
        environ["HTTP_X_REQUEST_ID"] = request_id  # for the app, if it goes on there
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(service=self._service, request_id=request_id)
        answered = self.answer(environ, request_id)
        if answered is None:
            return self._inside(environ, start_response)
        answer, admitted = answered.answer, answered.admitted
        own = [*(headers.UNLESS_SET | answer.headers | admitted.standing.headers()).items()]
        length = [] if answer.status == 304 else [("Content-Length", str(len(answer.body)))]
        always = [*headers.ALWAYS, ("X-Request-Id", request_id)]
        start_response(_STATUS[answer.status], own + length + always)
        note(
            self._resources.pool,
            service=self._service,
            request_id=request_id,
            method=environ["REQUEST_METHOD"],
            route=answered.route,
            path=environ["PATH_INFO"],
            status=answer.status,
            seconds=time.perf_counter() - started,
            account_id=admitted.account.account_id,
        )
        return [answer.body]

    def answer(self, environ: WSGIEnvironment, request_id: str) -> Answered | None:
        """Answer a request; None if that is for the app to do, or to refuse."""
        raise NotImplementedError

    def ask(self, token: Token, queue: Queue = lambda _: None) -> Asked:
        """Ask as the app would: quota, token, and what else there is, in one round trip."""
        return ask(self._resources, self.quota, token, queue)

    def admitted(self, asked: Asked) -> Admitted | None:
        """Say who may be answered here."""
        if not asked.standing or not asked.standing.allowed:
            return None
        account = self._resources.tokens.held(asked.token)
        if account is None or self.scope not in account.scopes:
            return None
        return Admitted(account, asked.standing)


def put_before(app: Flask, door: type[Door]) -> None:
    """Let the door answer first; not where requests are traced, which is done in the app."""
    if isinstance(traces(), Off):
        app.wsgi_app = door(app)  # type: ignore[method-assign]
