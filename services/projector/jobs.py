"""What the workers do when they are woken."""

from services.projector import metrics
from services.projector.wiring import Wiring, from_environment
from shared.readmodel.keys import wake_flag
from shared.tracing import traces


def drain(part: int, traceparent: str | None = None) -> None:
    """The job that `shared/readmodel/wake.py` puts into the queue."""
    with traces().following("drain", part, traceparent):
        drain_part(from_environment(), part)


def drain_part(wiring: Wiring, part: int) -> None:
    """Bring a part up to date.

    The flag goes first: a commit before that is seen by the read after it, a commit after it sends
    another wake-up. The time is far below RQ's time-out, which would strike inside a driver's call.
    """
    wiring.redis.delete(wake_flag(part))
    metrics.DRAINS.labels("woken").inc()
    if not wiring.projector.drain(part, wiring.generations.live, seconds=10):
        wiring.waker.send({part: traces().traceparent()})
