"""Counts the attempts at the events after a checkpoint; all of it goes when the checkpoint moves.

They are counted before they are made, since the worst event ends the process. Each attempt at the
same place takes a quarter of the events of the one before, at last a single one. That one is tried
by one process at a time, so that each count is a failure and not another process at work.
"""

from msgspec import Struct
from redis import Redis
from redis.client import Pipeline

from shared.readmodel.keys import Keys

BATCH = 256
NARROWER = 2
"""In powers of two."""
ATTEMPTS = 3
"""So often a single event is tried."""
ALONE_SECONDS = 5
"""Far longer than one event takes; after a death nobody handles its event for so long."""


def batch_size(attempts: int) -> int:
    """How many events to take after so many attempts that failed."""
    return max(1, BATCH >> NARROWER * attempts)


class Attempts(Struct, frozen=True):
    """Those of one part."""

    redis: Redis
    keys: Keys
    part: int

    def count(self, pipe: Pipeline) -> None:
        """An attempt at a batch begins."""
        pipe.hincrby(self.keys.attempts(self.part), "batch", 1)

    def begin_alone(self) -> int | None:
        """An attempt at a single event begins: how many failed before; None while another runs."""
        if not self.redis.set(self.keys.alone(self.part), 1, nx=True, ex=ALONE_SECONDS):
            return None
        return int(self.redis.hincrby(self.keys.attempts(self.part), "alone", 1)) - 1

    def failed(self, error: str) -> None:
        """The attempt at a single event failed, but the process lives."""
        self.redis.hset(self.keys.attempts(self.part), "error", error)
        self.redis.delete(self.keys.alone(self.part))

    def excuse(self) -> None:
        """The attempt failed, but the event was not to blame."""
        self.redis.hincrby(self.keys.attempts(self.part), "alone", -1)
        self.redis.delete(self.keys.alone(self.part))

    def last_error(self) -> str:
        """How the last attempt that could say so failed."""
        error = self.redis.hget(self.keys.attempts(self.part), "error")
        if isinstance(error, bytes):
            return error.decode()
        return "The process ended while it handled the event."
