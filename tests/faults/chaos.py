"""Breaks one thing after another, and mends it, while others work."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from urllib.parse import urlsplit

from redis import Redis

from shared.eventstore.pool import PATIENCE_SECONDS
from shared.readmodel.keys import MARKS
from shared.readmodel.marks import JOB, QUEUE, projection_queue
from tests.faults.rig import Rig
from tests.faults.room import POSTGRES, VALKEY

WEB = ("commands", "queries")
PROJECTORS = ("projector-1", "projector-2")
HALVES = (
    b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Le",
    b'POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n{"options": {',
)


class Chaos:
    def __init__(self, rig: Rig, rng: Random) -> None:
        self._rig, self._rng = rig, rng
        self._redis = Redis.from_url(rig.up.redis_url)

    def everything(self) -> Iterator[str]:
        """Each kind of fault once, in any order; says which, when it is over."""
        faults: list[Callable[[], None]] = [
            self.kill_projector,
            self.kill_all_projectors,
            self.kill_sweeper,
            self.kill_commands,
            self.kill_queries,
            self.kill_one_worker,
            self.freeze_projector,
            self.flush,
            self.stop_redis,
            self.kill_redis,
            self.lose_wake_ups,
            self.wake_twice,
            self.stop_postgres,
            self.kill_postgres,
            self.freeze_postgres,
            self.hang,
        ]
        self._rng.shuffle(faults)
        for fault in faults:
            fault()
            yield fault.__name__
            self._wait(0.5)

    def kill_projector(self) -> None:
        self._down(self._rig.kill, self._rng.choice(PROJECTORS))

    def kill_all_projectors(self) -> None:
        """Only the sweeper is left."""
        for name in PROJECTORS:
            self._rig.kill(name)
        self._wait(2)
        for name in PROJECTORS:
            self._rig.start(name)

    def kill_sweeper(self) -> None:
        self._down(self._rig.kill, "sweeper")

    def kill_commands(self) -> None:
        self._down(self._rig.kill, "commands", 0.3)

    def kill_queries(self) -> None:
        self._down(self._rig.kill, "queries", 0.3)

    def kill_one_worker(self) -> None:
        """Its master makes another."""
        for name in WEB:
            self._rig.kill_one_worker(name)

    def freeze_projector(self) -> None:
        """It wakes long after others have done its work, with what it had read before."""
        with self._rig.frozen(self._rng.choice(PROJECTORS)):
            self._wait(2)

    def flush(self) -> None:
        """Everything in Redis is gone: read models, wake-ups, tokens, quotas."""
        self._redis.flushall()

    def stop_redis(self) -> None:
        self._down(self._rig.stop, VALKEY)

    def kill_redis(self) -> None:
        self._down(self._rig.kill, VALKEY)

    def lose_wake_ups(self) -> None:
        """Queue and marks are emptied again and again; the flag says that somebody was called."""
        for _ in range(20):
            self._redis.delete(f"rq:queue:{QUEUE}", MARKS)
            time.sleep(0.05)

    def wake_twice(self) -> None:
        """Several jobs at once for every part, as older code sent them."""
        queue = projection_queue(self._redis)
        for part in range(256):
            for _ in range(2):
                queue.enqueue_call(JOB, args=(part,), timeout=60, result_ttl=0, ttl=60)

    def stop_postgres(self) -> None:
        self._down(self._rig.stop, POSTGRES)

    def kill_postgres(self) -> None:
        self._down(self._rig.kill, POSTGRES)

    def freeze_postgres(self) -> None:
        """Until nobody waits for it any more; then it goes on with what it had begun."""
        with self._rig.frozen(POSTGRES):
            time.sleep(PATIENCE_SECONDS + 3)

    def hang(self) -> None:
        """Clients that send half a request and wait."""
        with ExitStack() as hanging:
            for url in (self._rig.up.commands_url, self._rig.up.queries_url):
                address = (urlsplit(url).hostname, urlsplit(url).port)
                for _ in range(3):
                    for half in HALVES:
                        client = hanging.enter_context(socket.create_connection(address))
                        client.sendall(half)
            self._wait(1)

    def _down(self, end: Callable[[str], None], name: str, seconds: float = 1) -> None:
        end(name)
        self._wait(seconds)
        self._rig.start(name)

    def _wait(self, seconds: float) -> None:
        time.sleep(seconds * self._rng.uniform(0.5, 1.5))
