"""What the workers do when they are woken."""

import time
from contextlib import ExitStack

from services.projector import metrics
from services.projector.wiring import Wiring, from_environment
from shared.readmodel.marks import Parts
from shared.tracing import traces

LINGER_SECONDS = 0.25
"""After the last mark; while moves come more often than that one job goes on."""
PACE_SECONDS = 0.005
"""From one round to the next: what is marked meanwhile is done together, for far less."""
TURN_SECONDS = 2.0
"""Then another job goes on: a worker that is told to stop does so between two jobs."""


def drain(part: int | None = None, traceparent: str | None = None) -> None:
    """The job that `shared/readmodel/marks.py` puts into the queue; older code named a part."""
    if part is None:
        drain_marked(from_environment())
    else:
        drain_parts(from_environment(), {part: traceparent})


def drain_marked(wiring: Wiring) -> None:
    """Bring what is marked up to date, and what is marked meanwhile.

    A mark goes before its part is read: a commit before that is seen, a later one marks anew.
    """
    end = time.monotonic() + TURN_SECONDS
    while parts := wiring.marks.take(LINGER_SECONDS):
        began = time.monotonic()
        drain_parts(wiring, parts)
        if time.monotonic() > end:
            wiring.marks.call()
            return
        time.sleep(max(0.0, began + PACE_SECONDS - time.monotonic()))


def drain_parts(wiring: Wiring, parts: Parts) -> None:
    """Bring these up to date; what takes too long is marked again."""
    metrics.DRAINS.labels("woken").inc(len(parts))
    with ExitStack() as spans:
        for part, traceparent in parts.items():
            spans.enter_context(traces().following("drain", part, traceparent))
        left = wiring.projector.drain_parts(parts, wiring.generations.live, TURN_SECONDS)
    if left:
        wiring.waker.send({part: parts[part] for part in left})
