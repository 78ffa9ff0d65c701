"""A request id from client to event, one log line and two metrics per request."""

from __future__ import annotations

import re
import secrets
import time

import structlog
from flask import Flask, Response, g, request
from prometheus_client import Counter, Histogram

from shared.http.auth import viewer

_SANE_ID = re.compile("[A-Za-z0-9._-]{1,64}")
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

_REQUESTS = Counter(
    "puertorico_http_requests", "Requests answered.", ["service", "method", "route", "status"]
)
_SECONDS = Histogram(
    "puertorico_http_request_seconds",
    "Time until the answer's headers are ready.",
    ["service", "method", "route"],
)
_log = structlog.get_logger("http")


def request_id() -> str:
    """Return the client's X-Request-Id if it is sane, else an id made for this request."""
    if "request_id" not in g:
        given = request.headers.get("X-Request-Id", "")
        g.request_id = given if _SANE_ID.fullmatch(given) else secrets.token_hex(8)
    return str(g.request_id)


def install(app: Flask, service: str) -> None:
    def begin() -> None:
        g.started = time.perf_counter()
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(service=service, request_id=request_id())

    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.started
        route = request.url_rule.rule if request.url_rule else "none"
        method = request.method if request.method in _METHODS else "other"
        _REQUESTS.labels(service, method, route, response.status_code).inc()
        _SECONDS.labels(service, method, route).observe(seconds)
        response.headers["X-Request-Id"] = request_id()
        caller = viewer()
        _log.info(
            "request",
            method=method,
            route=route,
            path=request.path,
            status=response.status_code,
            seconds=round(seconds, 6),
            account_id=str(caller.account_id) if caller else None,
        )
        return response

    app.before_request(begin)
    app.after_request(end)
