"""Wake-ups: few, harmless to lose, and answered by a worker that does not fork."""

import os
import signal
import socket
import subprocess
import sys
import time
from typing import Any

import pytest
from prometheus_client import REGISTRY
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from services.projector import jobs
from services.projector.wiring import Wiring, from_environment
from shared.config import Settings
from shared.eventstore.store import EventStore
from shared.readmodel.keys import CALLED
from shared.readmodel.marks import JOB, Marks, Parts, projection_queue
from shared.readmodel.wake import Waker
from tests.services.projector.games import (
    PART,
    assert_read_models_are_the_log,
    await_up_to_date,
    go_on,
    plays,
)


@pytest.fixture
def queue(wiring: Wiring) -> Queue:
    return projection_queue(wiring.redis)


def test_many_wake_ups_are_one_job(wiring: Wiring, queue: Queue) -> None:
    for _ in range(5):
        wiring.waker.send({PART: None, PART + 1: "trace"})
    assert [(job.func_name, job.args) for job in queue.get_jobs()] == [(JOB, [])]
    assert wiring.marks.take(0.1) == {PART: None, PART + 1: "trace"}


def test_a_commit_during_a_drain_is_taken_in_by_the_same_job(
    wiring: Wiring, queue: Queue, log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = plays(1)[0].store(log)
    drained: list[list[int]] = []

    def drain_and_commit(wiring: Wiring, parts: Parts) -> None:
        drain_parts(wiring, parts)
        drained.append(list(parts))
        if len(drained) < 3:
            go_on(play)
            play.store(log)
            wiring.waker.send({PART: None})

    drain_parts = jobs.drain_parts
    monkeypatch.setattr(jobs, "drain_parts", drain_and_commit)
    wiring.waker.send({PART: None})
    jobs.drain_marked(wiring)
    assert drained == [[PART]] * 3
    assert queue.count == 1
    assert_read_models_are_the_log(wiring, [play])


def test_after_the_last_mark_the_next_one_sends_a_job(wiring: Wiring, queue: Queue) -> None:
    wiring.waker.send({PART: None})
    jobs.drain_marked(wiring)
    wiring.redis.delete(queue.key)
    wiring.waker.send({PART: None})
    assert queue.count == 1


def test_a_mark_made_while_nobody_looks_any_more_is_not_overlooked(
    wiring: Wiring, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the end of the wait and the fall of the flag: no job is sent, so it is taken."""
    leave = Marks._leave

    def mark_and_leave(marks: Marks) -> object:
        monkeypatch.undo()
        wiring.waker.send({PART: None})
        return leave(marks)

    monkeypatch.setattr(Marks, "_leave", mark_and_leave)
    assert wiring.marks.take(0.01) == {PART: None}
    assert queue.count == 0


def test_a_job_that_goes_on_for_long_hands_over(
    wiring: Wiring, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "TURN_SECONDS", 0)
    wiring.marks.put({PART: None})
    wiring.redis.delete(queue.key)
    jobs.drain_marked(wiring)
    wiring.waker.send({PART: None})
    assert queue.count == 1


def test_where_more_is_marked_than_one_takes_others_are_called(
    wiring: Wiring, queue: Queue
) -> None:
    wiring.marks.put(dict.fromkeys(range(256)))
    wiring.redis.delete(queue.key)
    assert list(wiring.marks.take(0.1)) == list(range(64))
    assert list(wiring.marks.take(0.1)) == list(range(64, 128))
    assert queue.count == 1


def test_marks_that_nobody_takes_do_not_heap_up(wiring: Wiring) -> None:
    for _ in range(9):
        wiring.marks.put(dict.fromkeys(range(256)))
    assert wiring.marks.count() == 1024


def test_a_job_of_older_code_drains_the_part_that_it_names(
    wiring: Wiring, log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "from_environment", lambda: wiring)
    play = plays(1)[0].store(log)
    jobs.drain(PART, "00-trace")
    assert_read_models_are_the_log(wiring, [play])


def test_waking_does_not_wait_for_redis() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        redis = Redis(port=silent.getsockname()[1], socket_timeout=2, retry=Retry(NoBackoff(), 0))
        began = time.monotonic()
        Waker(redis, projection_queue(redis)).wake(PART)
        assert time.monotonic() - began < 1


def test_what_is_woken_is_sent_soon(wiring: Wiring, queue: Queue) -> None:
    wiring.waker.wake(PART)
    wiring.waker.wake(PART + 1)
    while not queue.count:
        time.sleep(0.01)
    assert wiring.marks.take(0.1) == {PART: None, PART + 1: None}


def test_what_is_woken_is_sent_before_the_process_ends(wiring: Wiring, queue: Queue) -> None:
    wiring.waker.wake(PART)
    wiring.waker.close()
    assert queue.count == 1


def test_waking_never_fails() -> None:
    nowhere = Redis(port=1, retry=Retry(NoBackoff(), 0))
    Waker(nowhere, projection_queue(nowhere)).send({PART: None})


class BrokenQueue(Queue):
    """Something in a library fails that is no error of Redis."""

    def enqueue_call(self, *args: Any, **kwargs: Any) -> Job:
        raise TypeError(f"cannot enqueue {args} {kwargs}")


def test_what_fails_unexpectedly_does_not_end_the_waker(wiring: Wiring) -> None:
    waker = Waker(wiring.redis, BrokenQueue(connection=wiring.redis))
    before, end = wake_failures(), time.monotonic() + 5
    for failed in (1, 2):
        wiring.redis.delete(CALLED)
        waker.wake(PART + failed)
        while wake_failures() < before + failed:
            assert time.monotonic() < end
            time.sleep(0.01)
    assert wiring.marks.take(0.1) == {PART + 1: None, PART + 2: None}


def wake_failures() -> float:
    return REGISTRY.get_sample_value("puertorico_wake_failures_total") or 0


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
        end = time.monotonic() + 10
        while worker.poll() is None:  # though there is always something to do
            assert time.monotonic() < end
            wiring.waker.send({PART: None})
        assert worker.returncode == 0
    finally:
        worker.kill()
        worker.wait()


def test_the_worker_process_ends_when_its_sweeper_does(settings: Settings) -> None:
    addresses = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
    broken = "from services.projector import worker; worker.Sweeper.tick = None; worker.main()"
    ended = subprocess.run(
        [sys.executable, "-c", broken],
        env=os.environ | addresses,
        stderr=subprocess.PIPE,
        timeout=20,
        check=False,
    )
    assert ended.returncode == 1
    assert b'"sweeper ended"' in ended.stderr
    assert b"'NoneType' object is not callable" in ended.stderr
