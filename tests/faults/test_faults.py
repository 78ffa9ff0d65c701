"""Bots play while servers and processes are killed, stopped, flushed and frozen.

FAULT_MINUTES says how long; every kind of fault comes at least once.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import pytest

from tests.faults.bots import Bot, Journal
from tests.faults.chaos import Chaos
from tests.faults.check import (
    await_projection,
    faults_of_api,
    faults_of_log,
    faults_of_read_models,
    looking_at,
    read_log,
)
from tests.faults.rig import Rig, rig
from tests.faults.room import Plan
from tests.services.projector.games import table_of

MINUTES = float(os.environ.get("FAULT_MINUTES", "0"))
GAMES_AT_ONCE = 3
pytestmark = [pytest.mark.faults, pytest.mark.timeout(MINUTES * 60 * 1.5 + 300)]


def test_no_fault_loses_or_doubles_a_move(tmp_path: Path) -> None:
    seed = time.time_ns()
    print(f"seed {seed}")
    with rig(Plan.beneath(tmp_path)) as running, ExitStack() as exits:
        journal = Journal()
        bots = [
            exits.enter_context(closing(Bot(running.up, journal, seed + number)))
            for number in range(GAMES_AT_ONCE)
        ]
        play_through(Chaos(running, Random(seed)), bots)
        print(f"{len(journal.promises)} requests accepted, {len(journal.over)} games over")
        assert journal.over
        players = [player for bot in bots for player in bot.players]
        with looking_at(running.up) as wiring:
            assert await_projection(wiring, 60 + MINUTES)
            log = read_log(running.up, wiring)
            tables = [table_of(wiring.store, game) for game in log]
            assert list(faults_of_log(log, journal)) == []
            assert list(faults_of_read_models(wiring, tables, wiring.generations.live())) == []
            assert list(faults_of_api(running.up, tables, players)) == []
        assert no_unforeseen_error(running)


def play_through(chaos: Chaos, bots: list[Bot]) -> None:
    """Until the time is over; the games that run then are played to their end in peace."""
    with ThreadPoolExecutor(len(bots)) as threads:
        chaos_is_over = Future[None]()
        playing = [threads.submit(bot.play_until, chaos_is_over.done) for bot in bots]
        try:
            break_things(chaos, playing)
        finally:
            chaos_is_over.set_result(None)
    for each in playing:
        each.result()


def break_things(chaos: Chaos, playing: list[Future[None]]) -> None:
    """All faults, again and again until the time is over, or until a bot has failed."""
    end = time.monotonic() + MINUTES * 60
    while True:
        for fault in chaos.everything():
            print(f"{time.strftime('%X')} {fault}")
            if any(each.done() for each in playing):
                return
        if time.monotonic() > end:
            return


def no_unforeseen_error(running: Rig) -> bool:
    """No request ended as a 500, no batch of events was held to be bad."""
    logs = {path.name: path.read_text() for path in running.logs.glob("*.log")}
    return not any('"unhandled"' in text or '"batch failed"' in text for text in logs.values())
