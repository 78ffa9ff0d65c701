"""Wakes the projector after a commit: at most one job for each part and two seconds."""

import structlog
from prometheus_client import Counter
from redis import Redis, RedisError
from rq import Queue
from rq.serializers import JSONSerializer

from shared.readmodel.keys import wake_flag

QUEUE = "projection"
JOB = "services.projector.jobs.drain"
"""By name: nobody imports the projector to wake it."""
COALESCE_MS = 2000

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

    def wake(self, part: int) -> None:
        """Never raises because of Redis: the commit it follows has happened."""
        try:
            if self._redis.set(wake_flag(part), 1, nx=True, px=COALESCE_MS):
                self._queue.enqueue_call(
                    JOB, args=(part,), timeout=60, result_ttl=0, ttl=60, failure_ttl=60
                )
        except RedisError as error:
            _FAILURES.inc()
            _log.warning("wake-up not sent", part=part, error=str(error))
