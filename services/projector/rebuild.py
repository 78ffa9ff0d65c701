"""Makes all read models anew beside the live ones: `python -m services.projector.rebuild`.

Writes go on meanwhile. When the new generation has nearly caught up it becomes the live one. Both
are kept up to date until every process knows that; then the old one is removed.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator

from redis import Redis

from services.projector.refold import refold
from services.projector.wiring import Wiring, from_environment
from shared.readmodel.generation import FRESH_SECONDS
from shared.readmodel.keys import Keys
from shared.readmodel.lists import ListReader

SMALL_LAG = 100
"""Events; less than a second's work, so readers notice nothing."""
OVERLAP_SECONDS = 3 * FRESH_SECONDS
TURN_SECONDS = 1.0
LOCK = "rebuild"
LOCK_SECONDS = 60
SLICE = 500


class RebuildError(Exception):
    """The live read models are as they were; the message says why, in one sentence."""


def rebuild(wiring: Wiring, say: Callable[[str], None]) -> None:
    """Build, switch, remove. Raises RebuildError."""
    redis = wiring.redis
    old, new = wiring.generations.live(), wiring.generations.fresh()
    if not redis.set(LOCK, new.generation, nx=True, ex=LOCK_SECONDS):
        raise RebuildError("Another rebuild is running.")
    stale = set(wiring.dead_letters.unresolved())
    try:
        _catch_up(wiring, new, say)
        if failed := set(wiring.dead_letters.unresolved()) - stale:
            raise RebuildError(
                f"{len(failed)} more games could not be folded; nothing was switched."
            )
        wiring.generations.switch(new)
        say("The new read models are live.")
        _keep_up(wiring, [old, new])
        for failure in refold(wiring, sorted(stale)) if stale else []:
            say(failure)
    finally:
        live = wiring.generations.live()
        say(f"Removed {_remove_all_but(redis, live)} keys of other generations.")
        redis.delete(LOCK)


def _catch_up(wiring: Wiring, keys: Keys, say: Callable[[str], None]) -> None:
    """Until all is there that was when it began, and of what came since little is missing."""
    lists, heads = ListReader(wiring.redis, wiring.store), wiring.store.heads()
    while True:
        behind = _behind(wiring, keys)
        missing = sum(behind.values())
        if missing <= SMALL_LAG and lists.note_complete(keys, heads):
            return
        say(f"{missing} events to go.")
        _drain(wiring, keys, behind)
        wiring.redis.expire(LOCK, LOCK_SECONDS)


def _keep_up(wiring: Wiring, generations: list[Keys]) -> None:
    end = time.monotonic() + OVERLAP_SECONDS
    while time.monotonic() < end:
        for keys in generations:
            _drain(wiring, keys, _behind(wiring, keys))
        time.sleep(0.02)


def _drain(wiring: Wiring, keys: Keys, parts: Iterable[int]) -> None:
    for part in parts:
        wiring.projector.drain(part, lambda: keys, TURN_SECONDS)


def _behind(wiring: Wiring, keys: Keys) -> dict[int, int]:
    """How many events each part lacks, of those that lack any."""
    checkpoints = wiring.projector.checkpoints(keys)
    heads = wiring.store.heads()
    return {
        part: head - checkpoints[part] for part, head in heads.items() if head > checkpoints[part]
    }


def _remove_all_but(redis: Redis, live: Keys) -> int:
    """In slices, so that Redis answers others meanwhile."""
    removed = 0
    for keys in _slices(redis, live):
        removed += int(redis.unlink(*keys))
    return removed


def _slices(redis: Redis, live: Keys) -> Iterator[list[bytes | str]]:
    kept = f":g{live.generation}:".encode()
    for pattern in ("{p*}:g*", "{lists}:g*"):
        cursor = 0
        while True:
            cursor, found = redis.scan(cursor, match=pattern, count=SLICE)
            if others := [key for key in found if isinstance(key, bytes) and kept not in key]:
                yield list(others)
            if cursor == 0:
                break


def main() -> int:
    try:
        rebuild(from_environment(), lambda line: print(line, flush=True))
    except RebuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
