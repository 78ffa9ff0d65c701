"""What a service's views reach for: its connections and what is built on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app
from redis import ConnectionError as Disconnected
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from shared.eventstore.pool import Pool
from shared.eventstore.store import EventStore
from shared.http.limits import RateLimits
from shared.http.tokens import TokenDirectory

_EXTENSION = "puertorico"


@dataclass(frozen=True, slots=True)
class Resources:
    pool: Pool
    store: EventStore
    redis: Redis
    tokens: TokenDirectory
    limits: RateLimits


def provide(app: Flask, resources: Resources) -> None:
    app.extensions[_EXTENSION] = resources


def resources() -> Resources:
    """Return those of the app that answers the present request."""
    return resources_of(current_app)


def resources_of(app: Flask) -> Resources:
    return cast(Resources, app.extensions[_EXTENSION])


def redis_at(url: str) -> Redis:
    """Make a client that soon gives up: Redis is never needed, and an outage must not wait."""
    return Redis.from_url(
        url,
        socket_timeout=1,
        socket_connect_timeout=0.5,
        # For a connection gone stale; a Redis that hangs is not waited for twice.
        retry=Retry(NoBackoff(), 1, supported_errors=(Disconnected,)),
    )
