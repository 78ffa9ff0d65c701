"""Gunicorn's greenlets: half a request costs little there, but must not stay for ever."""

from __future__ import annotations

from gunicorn.workers.ggevent import GeventWorker

from shared.workers.refusing import Refusing


class Worker(Refusing, GeventWorker):  # type: ignore[misc]
    """A request's head must come within `keepalive`, as gunicorn has it."""
