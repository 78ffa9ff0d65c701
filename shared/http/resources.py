"""What a service's views reach for: its connections and what is built on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app
from redis import Redis

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
    return cast(Resources, current_app.extensions[_EXTENSION])
