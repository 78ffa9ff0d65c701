"""Which generation of read models is the live one."""

import time

from redis import Redis

from shared.readmodel.keys import FIRST_GENERATION, LIVE, Keys

FRESH_SECONDS = 1.0
"""How long a process may go on with the generation it knows; a rebuild waits longer than that."""


class Generations:
    """Asks Redis once a second at most. After a flush it is the first generation again."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._live = Keys(FIRST_GENERATION)
        self._until = 0.0

    def live(self) -> Keys:
        """redis.RedisError when Redis must be asked and does not answer."""
        if (now := time.monotonic()) >= self._until:
            name = self._redis.get(LIVE)
            self._live = Keys(name.decode() if isinstance(name, bytes) else FIRST_GENERATION)
            self._until = now + FRESH_SECONDS
        return self._live

    @staticmethod
    def fresh() -> Keys:
        """Keys that were never used before, also after a flush."""
        return Keys(str(time.time_ns() // 1_000_000))

    def switch(self, keys: Keys) -> None:
        """Make a generation the live one; the others learn of it within FRESH_SECONDS."""
        self._redis.set(LIVE, keys.generation)
        self._until = 0.0
