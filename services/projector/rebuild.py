"""Makes all read models anew beside the live ones: `python -m services.projector.rebuild`.

Writes go on meanwhile. When the new generation has nearly caught up it becomes the live one. Both
are kept up to date until every process knows that; then the old one is removed.
"""

import logging
import sys
import time
from collections.abc import Callable, Iterable
from uuid import UUID

from redis.exceptions import LockError, LockNotOwnedError
from redis.lock import Lock

from services.projector.drain import OUTAGES
from services.projector.refold import outage, refold
from services.projector.removal import remove
from services.projector.wiring import Wiring, from_environment
from shared.readmodel.generation import OVERLAP_SECONDS
from shared.readmodel.keys import ALL_GENERATIONS, Keys
from shared.readmodel.lists import ListReader

SMALL_LAG = 100
"""Events; less than a second's work, so readers notice nothing."""
TURN_SECONDS = 1.0
LOCK = "rebuild"
LOCK_SECONDS = 60
"""Renewed after each part and each slice, which take a second or two."""


class RebuildError(Exception):
    """Not all was done, most often nothing; the message says why, in one sentence."""


def rebuild(wiring: Wiring, say: Callable[[str], None]) -> None:
    """Build, switch, remove. Raises RebuildError."""
    stale = set(wiring.dead_letters.unresolved())
    try:
        with wiring.redis.lock(LOCK, timeout=LOCK_SECONDS, blocking=False) as lock:
            _replace(wiring, lock, stale, say)
    except LockNotOwnedError as error:
        raise RebuildError("The rebuild was held up, or Redis was emptied: start anew.") from error
    except LockError as error:
        raise RebuildError("Another rebuild is running.") from error
    for failure in refold(wiring, sorted(stale)) if stale else []:
        say(failure)


def _replace(wiring: Wiring, lock: Lock, stale: set[UUID], say: Callable[[str], None]) -> None:
    """Who has lost the lock raises LockNotOwnedError and removes nothing: another may build."""
    new = wiring.generations.fresh()
    try:
        _catch_up(wiring, lock, new, say)
        if failed := set(wiring.dead_letters.unresolved()) - stale:
            raise RebuildError(
                f"{len(failed)} more games could not be folded; nothing was switched."
            )
        lock.reacquire()
        old = wiring.generations.switch(new)
        say("The new read models are live.")
        _keep_up(wiring, lock, [old, new])
    finally:
        lock.reacquire()
        removed = 0
        for count in remove(wiring.redis, ALL_GENERATIONS):
            removed += count
            lock.reacquire()
        say(f"Removed {removed} keys of other generations.")


def _catch_up(wiring: Wiring, lock: Lock, keys: Keys, say: Callable[[str], None]) -> None:
    """Until all is there that was when it began, and of what came since little is missing."""
    lists, heads = ListReader(wiring.redis, wiring.store), wiring.store.heads()
    while True:
        behind = _behind(wiring, keys)
        missing = sum(behind.values())
        if missing <= SMALL_LAG and lists.note_complete(keys, heads):
            return
        say(f"{missing} events to go.")
        _drain(wiring, lock, keys, behind)


def _keep_up(wiring: Wiring, lock: Lock, generations: list[Keys]) -> None:
    end = time.monotonic() + OVERLAP_SECONDS
    while time.monotonic() < end:
        for keys in generations:
            _drain(wiring, lock, keys, _behind(wiring, keys))
        time.sleep(0.02)


def _drain(wiring: Wiring, lock: Lock, keys: Keys, parts: Iterable[int]) -> None:
    for part in parts:
        wiring.projector.drain(part, lambda: keys, TURN_SECONDS)
        lock.reacquire()


def _behind(wiring: Wiring, keys: Keys) -> dict[int, int]:
    """How many events each part lacks, of those that lack any."""
    checkpoints = wiring.projector.checkpoints(keys)
    heads = wiring.store.heads()
    return {
        part: head - checkpoints[part] for part, head in heads.items() if head > checkpoints[part]
    }


def main() -> int:
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # a sentence tells of it
    try:
        rebuild(from_environment(), lambda line: print(line, flush=True))
    except RebuildError as error:
        print(error, file=sys.stderr)
        return 1
    except OUTAGES as error:
        print(outage(error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
