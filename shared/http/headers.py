"""Headers of every answer: CORS for any origin, without credentials, and limits for browsers."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response, request

from shared.http.problems import Problem
from shared.http.routes import allowed

_EXPOSED = (
    "ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
)
_ACCEPTED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "X-Request-Id"
)
_DAY = "86400"
ALWAYS = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", _EXPOSED),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
]
UNLESS_SET = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}


def install(app: Flask) -> None:
    app.before_request(_answer_options)
    app.after_request(_add_headers)


def _answer_options() -> Response | None:
    """Answer OPTIONS, preflights among them, from the route table: a token is never needed."""
    if request.method != "OPTIONS":
        return None
    methods = allowed(request.path)
    if not methods:
        raise Problem("not_found", "There is no such address.")
    answer = Response(status=204, headers={"Allow": ", ".join(methods)})
    answer.headers["Access-Control-Allow-Methods"] = ", ".join(methods)
    answer.headers["Access-Control-Allow-Headers"] = _ACCEPTED
    answer.headers["Access-Control-Max-Age"] = _DAY
    return answer


def _add_headers(response: Response) -> Response:
    if response.status_code == 204:
        response.headers.remove("Content-Type")  # of nothing; Flask's own is text/html
    response.headers.extend(ALWAYS)
    return add_unless_set(response, UNLESS_SET)


def add_unless_set(response: Response, headers: Mapping[str, str]) -> Response:
    """Add several at once: `setdefault` would search all headers for each."""
    there = {name.lower() for name, _ in response.headers}
    response.headers.extend(item for item in headers.items() if item[0].lower() not in there)
    return response
