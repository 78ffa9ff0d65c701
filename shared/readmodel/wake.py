"""Wakes the projector after a commit: the part is marked, and one job is for all that is marked."""

import time
from threading import Condition, Thread

import structlog
from prometheus_client import Counter
from redis import Redis, RedisError
from rq import Queue

from shared.readmodel.marks import Marks, Parts
from shared.tracing import traces

GATHER_SECONDS = 0.01
"""Under load one message wakes many parts; who reads what he has just written does not wait."""
CLOSE_SECONDS = 5

_FAILURES = Counter("puertorico_wake_failures", "Wake-ups that could not be sent; swept instead.")
_log = structlog.get_logger("wake")


class Waker:
    """A wake-up that is lost costs a second or two: the sweeper finds what was not projected."""

    def __init__(self, redis: Redis, queue: Queue) -> None:
        self._marks = Marks(redis, queue)
        self._pending: dict[int, str | None] = {}
        self._news = Condition()
        self._sender: Thread | None = None
        self._closed = False

    def wake(self, part: int) -> None:
        """At once, but in a thread: a move costs as little as its commit, whatever Redis does."""
        with self._news:
            self._pending[part] = traces().traceparent()
            self._news.notify()
            if self._sender is None:  # with the first wake-up, so after any fork
                self._sender = Thread(target=self._send_pending, name="waker", daemon=True)
                self._sender.start()

    def close(self) -> None:
        """Send what is still to be sent and end the thread; Redis is not waited for long."""
        with self._news:
            self._closed = True
            self._news.notify()
        if self._sender is not None:
            self._sender.join(CLOSE_SECONDS)

    def send(self, parts: Parts) -> None:
        """Never raises: the commits that this follows have happened, and others are to follow."""
        try:
            self._marks.put(parts)
        except Exception as error:  # noqa: BLE001  # or else the thread ends, and nobody sees that
            _FAILURES.inc()
            is_bug = not isinstance(error, RedisError)
            _log.warning("wake-ups not sent", parts=len(parts), error=str(error), exc_info=is_bug)

    def _send_pending(self) -> None:
        while self._pending or not self._closed:
            with self._news:
                self._news.wait_for(lambda: self._pending or self._closed)
            time.sleep(GATHER_SECONDS)
            with self._news:
                parts, self._pending = self._pending, {}
            if parts:
                self.send(parts)
