"""What only this service's views reach for: the games at hand, and what follows a change."""

from __future__ import annotations

import atexit
from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app

from services.commands.forgetting import Forgetting
from services.commands.games import Games
from shared.config import Settings
from shared.http.resources import redis_at, resources_of
from shared.readmodel.wake import Waker, projection_queue

_EXTENSION = "puertorico_commands"


@dataclass(frozen=True, slots=True)
class Desk:
    games: Games
    waker: Waker
    forgetting: Forgetting


def install(app: Flask, settings: Settings) -> None:
    found = resources_of(app)
    queue = (
        found.redis if settings.queue_url == settings.redis_url else redis_at(settings.queue_url)
    )
    waker = Waker(found.redis, projection_queue(queue))
    atexit.register(waker.close)
    app.extensions[_EXTENSION] = Desk(Games(found.store), waker, Forgetting(found.store))


def desk() -> Desk:
    """Return that of the app that answers the present request."""
    return cast(Desk, current_app.extensions[_EXTENSION])
