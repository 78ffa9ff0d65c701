"""Takes wake-ups from the queue, without a fork for each: `python -m services.projector.worker`."""

import logging
import os
import time
from threading import Event, Thread

import structlog
from redis import Redis, RedisError
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from services.projector import metrics
from services.projector.sweeper import Sweeper
from services.projector.wiring import from_environment
from shared.config import Settings
from shared.readmodel.marks import projection_queue

RESTART_SECONDS = 1.0

_log = structlog.get_logger("worker")


class Worker(SimpleWorker):
    """One queue, since a job popped from several may be lost (rq#1716)."""

    max_connection_wait_time = 5.0
    stopping = False

    def handle_warm_shutdown_request(self) -> None:
        """Tell an asked-for end from one that an outage of Redis brought."""
        self.stopping = True


def main() -> None:
    """Work until told to stop, whatever Redis does; beside it a thread sweeps."""
    wiring, settings = from_environment(), Settings.from_env()
    metrics.expose(settings.metrics_port)
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    stop = Event()
    sweeping = Thread(target=_sweep, args=(Sweeper(wiring), stop), name="sweeper", daemon=True)
    sweeping.start()
    connection = Redis.from_url(settings.queue_url)
    while not _work(connection):
        time.sleep(RESTART_SECONDS)
    stop.set()
    sweeping.join(timeout=5)


def _sweep(sweeper: Sweeper, stop: Event) -> None:
    """The process ends with the thread, whose end nobody would see; a job in hand may be lost."""
    try:
        sweeper.run(stop)
    except BaseException:  # noqa: BLE001  # whatever it is
        _log.critical("sweeper ended", exc_info=True)
        os._exit(1)


def _work(connection: Redis) -> bool:
    """Whether it ended because it was told to."""
    worker: Worker | None = None
    try:
        queue = projection_queue(connection)
        worker = Worker([queue], connection=connection, serializer=JSONSerializer)
        worker.work(logging_level="WARNING")
    except RedisError as error:
        _log.warning("worker stopped", error=str(error))
    return worker is not None and worker.stopping


if __name__ == "__main__":
    main()
