"""Wake-ups: few, harmless to lose, and answered by a worker that does not fork."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from services.projector import jobs
from services.projector.wiring import Wiring, from_environment
from shared.config import Settings
from shared.eventstore.store import EventStore
from shared.readmodel.wake import JOB, Waker, projection_queue
from tests.services.projector.games import (
    PART,
    assert_read_models_are_the_log,
    await_up_to_date,
    plays,
)


@pytest.fixture
def queue(wiring: Wiring) -> Queue:
    return projection_queue(wiring.redis)


def test_many_wake_ups_of_a_part_are_one_job(wiring: Wiring, queue: Queue) -> None:
    for _ in range(5):
        wiring.waker.send({PART: None, PART + 1: None})
    assert [(job.func_name, job.args) for job in queue.get_jobs()] == [
        (JOB, [PART]),
        (JOB, [PART + 1]),
    ]


def test_a_commit_during_a_drain_wakes_again(wiring: Wiring, queue: Queue) -> None:
    wiring.waker.send({PART: None})
    jobs.drain_part(wiring, PART)
    wiring.waker.send({PART: None})
    assert queue.count == 2


def test_waking_does_not_wait_for_redis() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        redis = Redis(port=silent.getsockname()[1], socket_timeout=2, retry=Retry(NoBackoff(), 0))
        began = time.monotonic()
        Waker(redis, projection_queue(redis)).wake(PART)
        assert time.monotonic() - began < 1


def test_what_is_woken_is_sent_soon(wiring: Wiring, queue: Queue) -> None:
    wiring.waker.wake(PART)
    wiring.waker.wake(PART + 1)
    while queue.count < 2:
        time.sleep(0.01)


def test_what_is_woken_is_sent_before_the_process_ends(wiring: Wiring, queue: Queue) -> None:
    wiring.waker.wake(PART)
    wiring.waker.close()
    assert queue.count == 1


def test_waking_never_fails() -> None:
    nowhere = Redis(port=1, retry=Retry(NoBackoff(), 0))
    Waker(nowhere, projection_queue(nowhere)).send({PART: None})


def test_the_job_drains_its_part(
    wiring: Wiring,
    queue: Queue,
    log: EventStore,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", settings.database_url)
    monkeypatch.setenv("REDIS_URL", settings.redis_url)
    from_environment.cache_clear()
    play = plays(1)[0].store(log)
    wiring.waker.send({PART: None})
    worker = SimpleWorker([queue], connection=wiring.redis, serializer=JSONSerializer)
    assert worker.work(burst=True)
    from_environment().pool.close()
    from_environment.cache_clear()
    assert_read_models_are_the_log(wiring, [play])
    assert queue.failed_job_registry.count == 0


def test_the_worker_process_drains_and_stops_when_told(
    wiring: Wiring, log: EventStore, settings: Settings
) -> None:
    addresses = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
    worker = subprocess.Popen(
        [sys.executable, "-m", "services.projector.worker"], env=os.environ | addresses
    )
    try:
        while not SimpleWorker.count(connection=wiring.redis):
            time.sleep(0.05)
        play = plays(1)[0].store(log)
        wiring.waker.send({PART: None})
        await_up_to_date(settings)
        assert_read_models_are_the_log(wiring, [play])
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(10) == 0
    finally:
        worker.kill()
        worker.wait()
