"""Counts the attempts at the events after a checkpoint that failed or have not ended.

They are counted before they are made, since the worst event ends the process. After each failure a
quarter of the events is tried, at last a single one, until all that were first tried are behind.
A single event is tried by one process at a time, so that each count is a failure and not another
process at work.
"""

from msgspec import Struct
from redis import Redis

from shared.readmodel.keys import Keys

BATCH = 256
TOGETHER = 1024
"""Of several parts; more take so long that others come first."""
NARROWER = 2
"""In powers of two."""
ATTEMPTS = 3
"""So often a single event is tried."""
ALONE_SECONDS = 5
"""Far longer than one event takes; after a death nobody handles its event for so long."""


def batch_size(attempts: int, parts: int = 1) -> int:
    """How many events to take after so many attempts that failed, of one of so many parts."""
    return max(1, min(BATCH >> NARROWER * max(0, attempts), TOGETHER // parts))


class Attempts(Struct, frozen=True):
    """Those of one part. `count` and `uncount` may be put into a pipeline."""

    redis: Redis
    keys: Keys
    part: int

    def count(self, last: int) -> None:
        """An attempt at the events up to this position begins."""
        self.redis.hincrby(self.keys.attempts(self.part), "batch", 1)
        self.redis.hsetnx(self.keys.attempts(self.part), "until", str(last))

    def uncount(self) -> None:
        """The attempt ended, without a fault of the events and without moving the checkpoint.

        If the checkpoint has moved meanwhile the count was gone and is now below 0, which does no
        harm: an attempt more is made before events are suspected.
        """
        self.redis.hincrby(self.keys.attempts(self.part), "batch", -1)

    def begin_alone(self) -> int | None:
        """An attempt at a single event begins: how many failed before; None while another runs."""
        if not self.redis.set(self.keys.alone(self.part), 1, nx=True, ex=ALONE_SECONDS):
            return None
        return int(self.redis.hincrby(self.keys.attempts(self.part), "alone", 1)) - 1

    def failed(self, error: str) -> None:
        """The attempt at a single event failed, but the process lives."""
        self.redis.hset(self.keys.attempts(self.part), "error", error)
        self.redis.delete(self.keys.alone(self.part))

    def uncount_alone(self) -> None:
        """The same for an attempt at a single event."""
        self.uncount()
        self.redis.hincrby(self.keys.attempts(self.part), "alone", -1)
        self.redis.delete(self.keys.alone(self.part))

    def last_error(self) -> str:
        """How the last attempt that could say so failed."""
        error = self.redis.hget(self.keys.attempts(self.part), "error")
        if isinstance(error, bytes):
            return error.decode()
        return "The process ended while it handled the event."
