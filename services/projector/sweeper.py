"""Finds what no wake-up has brought up to date: `python -m services.projector.sweeper`.

It compares the heads of all parts in the log with the checkpoints, so a wake-up, a worker, the
queue or all of Redis may be lost, and the read models are late by seconds at most.
"""

import random
import signal
import time
from contextlib import ExitStack
from threading import Event

import structlog

from services.projector import metrics
from services.projector.drain import OUTAGES
from services.projector.removal import remove
from services.projector.wiring import Wiring, from_environment
from shared.config import Settings
from shared.readmodel.generation import OVERLAP_SECONDS
from shared.readmodel.keys import Keys
from shared.readmodel.lists import ListReader
from shared.tracing import traces

TICK_SECONDS = 0.5
LONGEST_PAUSE = 2.0
"""After an outage, too, the read models are late by seconds only."""
TURN_SECONDS = 1.0
"""Parts that need longer go on in the next round, after the others."""
TOGETHER = 8

_log = structlog.get_logger("sweeper")


class Sweeper:
    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self._lists = ListReader(wiring.redis, wiring.store)
        self._heads: dict[int, int] = {}
        self._behind_since: dict[int, float] = {}
        self._left: dict[Keys, float] = {}

    def run(self, stop: Event) -> None:
        """Look every half second to second, until told to stop; outages are waited out."""
        pause = TICK_SECONDS
        while not stop.wait(pause * random.uniform(1, 2)):  # noqa: S311  # not all at once
            try:
                self.tick()
                pause = TICK_SECONDS
            except OUTAGES as error:
                pause = min(pause * 2, LONGEST_PAUSE)
                _log.warning("sweep failed", error=str(error), pause=pause)

    def tick(self) -> int:
        """Drain what was behind a tick ago and still is; says how many parts that were."""
        wiring, keys = self._wiring, self._wiring.generations.live()
        heads = wiring.store.heads()
        checkpoints = wiring.projector.checkpoints(keys)
        if self._log_was_cut(heads, checkpoints):
            self._begin_anew()
            return 0
        self._measure(heads, checkpoints)
        late = [part for part, head in self._heads.items() if checkpoints[part] < head]
        if self._heads and not late:
            self._lists.note_complete(keys, self._heads)
        self._heads = heads
        self._drain(late)
        self._remove_left()
        return len(late)

    def _drain(self, late: list[int]) -> None:
        for begin in range(0, len(late), TOGETHER):
            parts = late[begin : begin + TOGETHER]
            metrics.REPAIRS.inc(len(parts))
            metrics.DRAINS.labels("swept").inc(len(parts))
            with ExitStack() as spans:
                for part in parts:
                    spans.enter_context(traces().following("sweep", part, None))
                live = self._wiring.generations.live
                self._wiring.projector.drain_parts(parts, live, TURN_SECONDS)

    def _log_was_cut(self, heads: dict[int, int], checkpoints: dict[int, int]) -> bool:
        """Whether read models hold what the log does not, as after a restore of an old backup.

        Then nothing in them can be trusted, and it is as if Redis had been emptied.
        """
        if all(checkpoints[part] <= head for part, head in heads.items()):
            return False
        later = self._wiring.store.heads()  # others may have projected what came in between
        ahead = [part for part, head in later.items() if checkpoints[part] > head]
        if ahead:
            _log.error("the log has lost events; the read models begin anew", parts=ahead)
        return bool(ahead)

    def _begin_anew(self) -> None:
        generations = self._wiring.generations
        self._left[generations.switch(generations.fresh())] = time.monotonic()
        self._heads = {}

    def _remove_left(self) -> None:
        """The generations that nobody may be using any more."""
        end = time.monotonic() - OVERLAP_SECONDS
        for keys in [keys for keys, since in self._left.items() if since <= end]:
            removed = sum(remove(self._wiring.redis, keys))
            _log.info("read models removed", generation=keys.generation, keys=removed)
            del self._left[keys]

    def _measure(self, heads: dict[int, int], checkpoints: dict[int, int]) -> None:
        behind = {part: head - checkpoints[part] for part, head in heads.items()}
        now = time.monotonic()
        self._behind_since = {
            part: self._behind_since.get(part, now) for part, events in behind.items() if events > 0
        }
        metrics.LAG_EVENTS.set(sum(events for events in behind.values() if events > 0))
        metrics.LAG_SECONDS.set(now - min(self._behind_since.values(), default=now))
        metrics.QUEUE.set(self._wiring.marks.count())


def main() -> None:
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    metrics.expose(Settings.from_env().metrics_port)
    Sweeper(from_environment()).run(stop)


if __name__ == "__main__":
    main()
