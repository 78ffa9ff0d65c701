"""Parts that wait for the projector: marked after a commit, taken by whoever has time for them.

One job is for all of them. While it is on its way or at work a flag is up, and nobody sends a
second one.
"""

from collections.abc import Mapping, Sequence

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from shared.readmodel.keys import CALLED, MARKS

QUEUE = "projection"
JOB = "services.projector.jobs.drain"
"""By name: nobody imports the projector to wake it."""
TIMEOUT_SECONDS = 60
CALLED_MS = 2000
"""So long a worker may be late, or dead, before another is called."""
KEPT = 1024
"""Without any worker the oldest marks are dropped; the sweeper does without them."""
TAKEN = 64
"""At once by one worker; where more wait, others are called."""

Parts = Mapping[int, str | None]
"""With each part comes the trace of what marked it."""


def projection_queue(connection: Redis) -> Queue:
    """The one queue, on a plain Redis."""
    return Queue(QUEUE, connection=connection, serializer=JSONSerializer)


class Marks:
    """They stand where the read models do, the job in the queue's Redis."""

    def __init__(self, redis: Redis, queue: Queue) -> None:
        self._redis = redis
        self._queue = queue

    def put(self, parts: Parts) -> None:
        """Mark these parts, and call a worker unless one is at it."""
        marks = [f"{part} {trace}" if trace else str(part) for part, trace in parts.items()]
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.rpush(MARKS, *marks)
            pipe.ltrim(MARKS, -KEPT, -1)
            pipe.set(CALLED, 1, nx=True, px=CALLED_MS)
            *_, was_down = pipe.execute()
        if was_down:
            self._enqueue()

    def take(self, seconds: float) -> Parts:
        """Wait so long for marks, and take them. After none, the next mark calls a worker."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.set(CALLED, 1, px=CALLED_MS)
            pipe.blmpop(seconds, 1, MARKS, direction="LEFT", count=TAKEN)
            _, found = pipe.execute()
        _, marks = found or self._leave() or (None, [])
        if len(marks) == TAKEN:
            self.call()
        return _parts(marks)

    def call(self) -> None:
        """Let another worker join in, or go on, unless a job waits already."""
        if self._queue.is_empty():
            self._enqueue()

    def count(self) -> int:
        """How many wait."""
        return self._redis.llen(MARKS)

    def _leave(self) -> tuple[bytes, list[bytes]] | None:
        """The flag goes down first: who marked before that has called nobody."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.delete(CALLED)
            pipe.lmpop(1, MARKS, direction="LEFT", count=TAKEN)
            found: tuple[bytes, list[bytes]] | None = pipe.execute()[1]
        return found

    def _enqueue(self) -> None:
        """Nobody looks at its result, and when it has waited too long others have done its work."""
        self._queue.enqueue_call(
            JOB,
            timeout=TIMEOUT_SECONDS,
            ttl=TIMEOUT_SECONDS,
            result_ttl=0,
            failure_ttl=TIMEOUT_SECONDS,
        )


def _parts(marks: Sequence[bytes]) -> Parts:
    """Each once, with the first of its traces."""
    parts: dict[int, str | None] = {}
    for mark in marks:
        part, _, trace = mark.decode().partition(" ")
        parts.setdefault(int(part), trace or None)
    return parts
