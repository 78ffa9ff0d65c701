"""Finds what no wake-up has brought up to date: `python -m services.projector.sweeper`.

It compares the heads of all parts in the log with the checkpoints, so a wake-up, a worker, the
queue or all of Redis may be lost, and the read models are late by seconds at most.
"""

import random
import signal
import time
from threading import Event

import structlog

from services.projector import metrics
from services.projector.drain import OUTAGES
from services.projector.wiring import Wiring, from_environment

TICK_SECONDS = 0.5
LONGEST_PAUSE = 10.0
TURN_SECONDS = 1.0
"""A part that needs longer goes on in the next round, after the others."""

_log = structlog.get_logger("sweeper")


class Sweeper:
    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self._heads: dict[int, int] = {}
        self._behind_since: dict[int, float] = {}

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
        heads = self._wiring.store.heads()
        checkpoints = self._wiring.projector.checkpoints(self._wiring.generations.live())
        self._measure(heads, checkpoints)
        late = [part for part, head in self._heads.items() if checkpoints[part] < head]
        self._heads = heads
        for part in late:
            metrics.REPAIRS.inc()
            metrics.DRAINS.labels("swept").inc()
            self._wiring.projector.drain(part, self._wiring.generations.live, TURN_SECONDS)
        return len(late)

    def _measure(self, heads: dict[int, int], checkpoints: dict[int, int]) -> None:
        behind = {part: head - checkpoints[part] for part, head in heads.items()}
        now = time.monotonic()
        self._behind_since = {
            part: self._behind_since.get(part, now) for part, events in behind.items() if events > 0
        }
        metrics.LAG_EVENTS.set(sum(events for events in behind.values() if events > 0))
        metrics.LAG_SECONDS.set(now - min(self._behind_since.values(), default=now))


def main() -> None:
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    Sweeper(from_environment()).run(stop)


if __name__ == "__main__":
    main()
