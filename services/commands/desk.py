"""What only this service's views reach for: the games at hand, and changes of them."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import cast
from uuid import UUID

from flask import Flask, Response, current_app, request

from services.commands.changing import Changes, Decide, Request
from services.commands.forgetting import Forgetting
from services.commands.games import Games
from shared.config import Settings
from shared.http.auth import caller
from shared.http.idempotency import intent
from shared.http.observe import request_id
from shared.http.resources import redis_at, resources_of
from shared.http.versions import wanted_versions
from shared.readmodel.marks import projection_queue
from shared.readmodel.wake import Waker
from shared.table.decide import AnyEvent

_EXTENSION = "puertorico_commands"


def install(app: Flask, settings: Settings) -> None:
    found = resources_of(app)
    queue = (
        found.redis if settings.queue_url == settings.redis_url else redis_at(settings.queue_url)
    )
    waker = Waker(found.redis, projection_queue(queue))
    atexit.register(waker.close)
    changes = Changes(found.store, Games(found.store), waker, Forgetting(found.store))
    app.extensions[_EXTENSION] = changes


def changes_of(app: Flask) -> Changes:
    return cast(Changes, app.extensions[_EXTENSION])


def games() -> Games:
    """Return those of the app that answers the present request."""
    return changes_of(current_app).games


def change(
    game_id: UUID, decide: Decide, *, status: int = 201, code: str | None = None
) -> Response:
    """Make the present request's change of a game."""
    changes, wanted = changes_of(current_app), wanted_versions(request.headers.get("If-Match"))
    made = changes.change(_request(wanted), game_id, decide, status=status, code=code)
    return made.response()


def store_new(
    game_id: UUID, events: Sequence[AnyEvent], seed: bytes, invitation_code: str | None
) -> Response:
    """Store the first events of the game that the present request opens."""
    changes = changes_of(current_app)
    return changes.store_new(_request(), game_id, events, seed, invitation_code).response()


def _request(wanted: frozenset[int] | None = None) -> Request:
    return Request(caller(), intent(), request_id(), wanted)
