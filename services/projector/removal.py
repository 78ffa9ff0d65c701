"""Removes generations of read models that are no longer read."""

from collections.abc import Iterator

from redis import Redis

from shared.readmodel.generation import Generations
from shared.readmodel.keys import Keys

SLICE = 500


def remove(redis: Redis, left: Keys) -> Iterator[int]:
    """Remove what was left; says how many keys, slice by slice: Redis answers others meanwhile.

    Never the live one, which may be any: after a flush it is the first again.
    """
    live = Generations(redis).live()  # now, and not as it was a second ago
    for pattern in left.patterns():
        cursor = 0
        while True:
            cursor, found = redis.scan(cursor, match=pattern, count=SLICE)
            if keys := [key for key in found if isinstance(key, bytes) and not live.has(key)]:
                yield int(redis.unlink(*keys))
            if cursor == 0:
                break
