"""One writer for all refusals: whatever is raised becomes a problem document, and nothing leaks."""

from __future__ import annotations

import structlog
from flask import Flask, Response, json, request
from gunicorn.http.errors import ParseException
from psycopg import Error, InterfaceError, OperationalError
from psycopg.errors import ReadOnlySqlTransaction
from psycopg_pool import PoolTimeout
from werkzeug.exceptions import HTTPException

from shared.engine.errors import RuleViolation
from shared.http.auth import invalid_token
from shared.http.observe import request_id
from shared.http.problems import MEDIA_TYPE, Problem
from shared.http.refusals import refusal
from shared.http.routes import allowed
from shared.http.tokens import TokenEndedError
from shared.table.errors import TableRefusal

_log = structlog.get_logger("errors")

_BY_STATUS = {
    404: "not_found",
    413: "body_too_large",
    415: "unsupported_media_type",
}
_UNAVAILABLE = (OperationalError, InterfaceError, ReadOnlySqlTransaction)
"""How psycopg says so: also of a connection found broken, and of a standby before it takes over."""


def install(app: Flask) -> None:
    app.register_error_handler(Problem, render)
    app.register_error_handler(RuleViolation, _refused)
    app.register_error_handler(TableRefusal, _refused)
    app.register_error_handler(TokenEndedError, _ended)
    app.register_error_handler(ParseException, _ill_framed)
    for unavailable in _UNAVAILABLE:
        app.register_error_handler(unavailable, _unavailable)
    app.register_error_handler(Exception, _internal)


def render(problem: Problem) -> Response:
    return Response(
        json.dumps(problem.document(request_id())),
        status=problem.kind.status,
        headers=problem.headers,
        content_type=MEDIA_TYPE,
    )


def _refused(error: RuleViolation | TableRefusal) -> Response:
    return render(refusal(error))


def _ended(_error: TokenEndedError) -> Response:
    return render(invalid_token())


def answer_http_exception(error: HTTPException) -> Response:
    """Answer what Flask and Werkzeug raise, with the whole `Allow` that no single service knows."""
    if request.url_rule is None and error.code in {404, 405}:
        return render(_unrouted())
    if error.code is None or error.code >= 500:
        return _internal(error)
    return render(Problem(_BY_STATUS.get(error.code, "bad_request")))


def _unrouted() -> Problem:
    methods = allowed(request.path)
    if not methods:
        return Problem("not_found", "There is no such address.")
    if request.method in methods:
        return Problem("misdirected")
    allow = ", ".join(methods)
    return Problem("method_not_allowed", f"Allowed are {allow}.", headers={"Allow": allow})


def _ill_framed(_error: ParseException) -> Response:
    """Answer for a body in chunks that are none, which the server finds out as it is read."""
    return render(Problem("bad_request", "The body is malformed, or does not end where it says."))


def _unavailable(error: Error) -> Response:
    """Answer for a database that is down, busy or starting: trying again later may help."""
    timed_out = isinstance(error, PoolTimeout)
    misused = error if isinstance(error, InterfaceError) else None  # by us, perhaps
    _log.error("database unavailable", error=type(error).__name__, pool=timed_out, exc_info=misused)
    return render(Problem("unavailable", headers={"Retry-After": "1"}))


def _internal(error: Exception) -> Response:
    _log.error("unhandled", exc_info=error, method=request.method, path=request.path)
    return render(Problem("internal"))
