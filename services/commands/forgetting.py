"""Answers kept for retries are forgotten when no client will ask for them again."""

from __future__ import annotations

import time
from datetime import timedelta
from threading import Lock, Thread

import psycopg
import structlog

from shared.eventstore.store import EventStore

_KEPT = timedelta(days=2)
_SECONDS_BETWEEN = 3600.0

_log = structlog.get_logger("commands")


class Forgetting:
    """Each process forgets for all, about once an hour while changes are stored."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._due = 0.0
        self._lock = Lock()

    def remind(self) -> None:
        """Forget in the background if it is time; a request never waits for it."""
        with self._lock:
            if time.monotonic() < self._due:
                return
            self._due = time.monotonic() + _SECONDS_BETWEEN
        Thread(target=self._forget, name="forgetting", daemon=True).start()

    def _forget(self) -> None:
        try:
            if answers := self._store.purge_requests(_KEPT):
                _log.info("forgotten", answers=answers)
        except psycopg.Error as error:
            _log.warning("nothing forgotten", error=str(error))
