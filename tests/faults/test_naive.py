"""The check bites: a projector with a job per event passes it in peace, and fails it otherwise."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from redis import Redis

from services.projector.wiring import Wiring
from tests.faults.bots import Bot, Journal
from tests.faults.check import faults_of_read_models, looking_at, read_log
from tests.faults.naive import KEYS, naive_queue
from tests.faults.rig import Rig, rig
from tests.faults.room import Plan
from tests.services.projector.games import table_of

MOVES, MOST_GAMES = 30, 10
pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]


class Naive:
    """The rig with the naive projector, and a bot."""

    def __init__(self, running: Rig, wiring: Wiring, bot: Bot) -> None:
        self.rig, self._wiring, self._bot = running, wiring, bot
        self.redis: Redis = wiring.redis

    def play(self, disturb: Callable[[Future[str]], None]) -> str:
        """The beginning of a game, while it is disturbed."""
        with ThreadPoolExecutor(1) as thread:
            game = thread.submit(self._bot.play, MOVES)
            disturb(game)
        return game.result()

    def faults(self) -> list[str]:
        """What the check says when nothing is left to do."""
        queue = naive_queue(self.redis)
        found, before = self._check(), None
        while queue.count or found != before:
            time.sleep(0.5)
            found, before = self._check(), found
        return found

    def _check(self) -> list[str]:
        log = read_log(self.rig.up, self._wiring)
        tables = [table_of(self._wiring.store, game) for game in log]
        return list(faults_of_read_models(self._wiring, tables, KEYS))


@pytest.fixture
def naive(tmp_path: Path) -> Iterator[Naive]:
    worker = {"projector-1": "tests.faults.naive"}
    plan = Plan.beneath(tmp_path, commands="tests.faults.naive:create_app()", modules=worker)
    with (
        rig(plan) as running,
        looking_at(running.up) as wiring,
        closing(Bot(running.up, Journal(), seed=1)) as bot,
    ):
        yield Naive(running, wiring, bot)


def test_a_job_per_event_is_right_in_peace_and_wrong_after_a_kill_or_a_flush(naive: Naive) -> None:
    naive.play(lambda _: None)
    assert naive.faults() == []

    def kill(game: Future[str]) -> None:
        while not game.done():
            naive.rig.kill("projector-1")
            naive.rig.start("projector-1")
            time.sleep(1)

    killed = [naive.play(kill)]
    while not (found := naive.faults()):
        assert len(killed) < MOST_GAMES, "no kill ever lost an event"
        killed.append(naive.play(kill))
    assert any(game in fault for game in killed for fault in found)

    def flush(_: Future[str]) -> None:
        time.sleep(1)
        naive.redis.flushall()

    flushed = naive.play(flush)
    assert any(flushed in fault for fault in naive.faults())
