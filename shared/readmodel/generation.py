"""Which generation of read models is the live one."""

import time

from redis import Redis

from shared.readmodel.keys import FIRST_GENERATION, LIVE, Keys

FRESH_SECONDS = 1.0
"""How long a process may go on with the generation it knows."""
OVERLAP_SECONDS = 3 * FRESH_SECONDS
"""After a switch; then the generation that was left may be removed."""


class Generations:
    """Asks Redis once a second at most. After a flush it is the first generation again."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._live = Keys(FIRST_GENERATION)
        self._until = 0.0

    def live(self) -> Keys:
        """redis.RedisError when Redis must be asked and does not answer."""
        if (now := time.monotonic()) >= self._until:
            self._live = _named(self._redis.get(LIVE))
            self._until = now + FRESH_SECONDS
        return self._live

    @staticmethod
    def fresh() -> Keys:
        """Keys that were never used before, also after a flush."""
        return Keys(str(time.time_ns() // 1_000_000))

    def switch(self, keys: Keys) -> Keys:
        """Make a generation the live one; the others learn of it within FRESH_SECONDS.

        Gives back the one that was live until now, whoever made it so: to one caller only.
        """
        left = self._redis.set(LIVE, keys.generation, get=True)
        self._until = 0.0
        return _named(left)


def _named(name: object) -> Keys:
    return Keys(name.decode() if isinstance(name, bytes) else FIRST_GENERATION)
