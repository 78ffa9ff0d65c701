"""A request id from client to event, one log line and the metrics of each request."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from functools import cache
from random import getrandbits
from typing import cast
from uuid import UUID

import structlog
from flask import Flask, Response, g, request
from prometheus_client import Counter, Gauge, Histogram

from shared.eventstore.pool import Pool
from shared.http.auth import viewer
from shared.http.resources import resources

_SANE_ID = re.compile("[A-Za-z0-9._-]{1,64}")
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

_REQUESTS = Counter(
    "puertorico_http_requests", "Requests answered.", ["service", "method", "route", "status"]
)
_SECONDS = Histogram(
    "puertorico_http_request_seconds",
    "Time until the answer's headers are ready.",
    ["service", "method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
_CONNECTIONS = Gauge(
    "puertorico_pool_connections",
    "Connections to Postgres: open ones, idle ones, and requests that wait for one.",
    ["service", "state"],
    multiprocess_mode="livesum",
)
_SHOWN_SECONDS = 0.5
_shown: defaultdict[str, float] = defaultdict(float)
"""By service, when its pool was last shown: that takes longer than counting."""
_POOL_STATES = {"pool_size": "open", "pool_available": "idle", "requests_waiting": "awaited"}
_log = structlog.get_logger("http")


def request_id() -> str:
    """Return the id of the present request."""
    return cast(str, g.request_id)


def sane_id(given: str) -> str:
    """Take the client's X-Request-Id if it is sane, else make one."""
    return given if _SANE_ID.fullmatch(given) else f"{getrandbits(64):016x}"  # no secret


def install(app: Flask, service: str) -> None:
    def begin() -> None:
        g.started = time.perf_counter()
        g.request_id = own_id = sane_id(request.headers.get("X-Request-Id", ""))
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(service=service, request_id=own_id)

    def end(response: Response) -> Response:
        response.headers.add("X-Request-Id", request_id())
        caller = viewer()
        note(
            resources().pool,
            service=service,
            request_id=request_id(),
            method=_method(),
            route=_route(),
            path=request.path,
            status=response.status_code,
            seconds=time.perf_counter() - g.started,
            account_id=caller.account_id if caller else None,
        )
        return response

    app.before_request(begin)
    app.after_request(end)


def note(  # noqa: PLR0913
    pool: Pool,
    *,
    service: str,
    request_id: str,
    method: str,
    route: str,
    path: str,
    status: int,
    seconds: float,
    account_id: UUID | None,
) -> None:
    """Count an answered request and log it; no query, header or body, where secrets are."""
    count, duration = _series(service, method, route, status)
    count.inc()
    duration.observe(seconds)
    if (now := time.monotonic()) >= _shown[service] + _SHOWN_SECONDS:
        _shown[service] = now
        _show_pool(pool, service)
    _log.info(
        "request",
        service=service,
        request_id=request_id,
        method=method,
        route=route,
        path=path,
        status=status,
        seconds=round(seconds, 6),
        account_id=None if account_id is None else str(account_id),
    )


@cache
def _series(service: str, method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Look them up once: that takes longer than counting."""
    labels = (service, method, route)
    return _REQUESTS.labels(*labels, status), _SECONDS.labels(*labels)


def _show_pool(pool: Pool, service: str) -> None:
    stats = pool.stats()
    for key, gauge in _gauges(service):
        gauge.set(stats.get(key, 0))


@cache
def _gauges(service: str) -> list[tuple[str, Gauge]]:
    return [(key, _CONNECTIONS.labels(service, state)) for key, state in _POOL_STATES.items()]


def _method() -> str:
    """Keep the methods a client may invent out of the metrics."""
    return request.method if request.method in _METHODS else "other"


def _route() -> str:
    return request.url_rule.rule if request.url_rule else "none"
