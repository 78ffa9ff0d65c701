"""Wakes the projector after a commit: at most one job for each part and two seconds."""

import time
from collections.abc import Mapping
from threading import Condition, Thread

import structlog
from prometheus_client import Counter
from redis import Redis, RedisError
from rq import Queue
from rq.queue import EnqueueData
from rq.serializers import JSONSerializer

from shared.readmodel.keys import wake_flag
from shared.tracing import traces

QUEUE = "projection"
JOB = "services.projector.jobs.drain"
"""By name: nobody imports the projector to wake it."""
COALESCE_MS = 2000
TIMEOUT_SECONDS = 60
GATHER_SECONDS = 0.01
"""Under load one message wakes many parts; who reads what he has just written does not wait."""
CLOSE_SECONDS = 5

_FAILURES = Counter("puertorico_wake_failures", "Wake-ups that could not be sent; swept instead.")
_log = structlog.get_logger("wake")


def projection_queue(connection: Redis) -> Queue:
    """The one queue, on a plain Redis."""
    return Queue(QUEUE, connection=connection, serializer=JSONSerializer)


class Waker:
    """A wake-up that is lost costs a second or two: the sweeper finds what was not projected."""

    def __init__(self, redis: Redis, queue: Queue) -> None:
        self._redis = redis
        self._queue = queue
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

    def send(self, parts: Mapping[int, str | None]) -> None:
        """Raise the flags of these parts, and enqueue a job for each whose flag was down.

        With each part comes the trace of what woke it.
        Never raises because of Redis: the commits that this follows have happened.
        """
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                for part in parts:
                    pipe.set(wake_flag(part), 1, nx=True, px=COALESCE_MS)
                was_down = pipe.execute()
            woken = zip(parts.items(), was_down, strict=True)
            jobs = [_job(part, traceparent) for (part, traceparent), was in woken if was]
            if jobs:
                self._queue.enqueue_many(jobs)
        except RedisError as error:
            _FAILURES.inc()
            _log.warning("wake-ups not sent", parts=len(parts), error=str(error))

    def _send_pending(self) -> None:
        while self._pending or not self._closed:
            with self._news:
                self._news.wait_for(lambda: self._pending or self._closed)
            time.sleep(GATHER_SECONDS)
            with self._news:
                parts, self._pending = self._pending, {}
            self.send(parts)


def _job(part: int, traceparent: str | None) -> EnqueueData:
    """Nobody looks at its result, and when it has waited too long others have done its work."""
    return Queue.prepare_data(
        JOB,
        args=[part, traceparent] if traceparent else [part],
        timeout=TIMEOUT_SECONDS,
        ttl=TIMEOUT_SECONDS,
        result_ttl=0,
        failure_ttl=TIMEOUT_SECONDS,
    )
