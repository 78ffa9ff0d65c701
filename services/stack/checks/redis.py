"""Redis: the read models' and the queue's, and whether somebody takes wake-ups from it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from redis import Redis, RedisError
from rq import Queue, Worker

from services.stack.checks.finding import Finding, clock, size
from shared.config import Settings
from shared.http.resources import redis_at
from shared.readmodel.marks import projection_queue

WAITING_SECONDS = 10


def check(settings: Settings) -> Iterator[Finding]:
    """Both servers, or the one that is both."""
    names = {settings.queue_url: "the queue's Redis", settings.redis_url: "Redis"}
    for url, name in names.items():
        with redis_at(url) as redis:
            try:
                yield from _server(redis, name)
                if url == settings.queue_url:
                    yield from _queue(projection_queue(redis))
            except RedisError as error:
                yield Finding(
                    f"{_capital(name)} does not answer: {error}",
                    "start it, or correct its URL; until then reads fold the log, which is slow",
                )


def _server(redis: Redis, name: str) -> Iterator[Finding]:
    info = redis.info()
    version = info.get("valkey_version") or info["redis_version"]
    yield Finding(f"{_capital(name)} {version} answers; it holds {size(info['used_memory'])}.")
    seconds, microseconds = redis.time()
    yield clock(name, datetime.fromtimestamp(seconds + microseconds / 1e6, UTC))


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


def _queue(queue: Queue) -> Iterator[Finding]:
    """Who has died is not registered; whether the others live is told by the read models' lag.

    An idle worker of RQ gives a sign of life every seven minutes only, which says nothing.
    """
    if workers := len(Worker.all(queue=queue)):
        yield Finding(f"Workers registered for wake-ups: {workers}.")
    else:
        yield Finding(
            "No worker takes wake-ups; only the sweeper brings the read models up to date.",
            "start `python -m services.projector.worker`",
        )
    waiting = queue.count
    oldest = queue.get_jobs(0, 1)
    since = oldest[0].enqueued_at if oldest else None
    seconds = (datetime.now(UTC) - since).total_seconds() if since else 0
    if seconds > WAITING_SECONDS:
        yield Finding(
            f"Wake-ups that wait in the queue: {waiting}, the first for {seconds:.0f} s.",
            "start more workers, or see their log for why they do not go on",
        )
    else:
        yield Finding(f"Wake-ups that wait in the queue: {waiting}.")
