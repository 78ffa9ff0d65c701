"""Servers on a disk that fills up: what cannot be stored is refused, and what was stored stays."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.faults.bots import Bot, Journal, Player
from tests.faults.check import (
    await_projection,
    faults_of_log,
    faults_of_read_models,
    looking_at,
    read_log,
)
from tests.faults.rig import rig
from tests.faults.room import POSTGRES, VALKEY, Plan
from tests.services.projector.games import table_of

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
MEGABYTES = 160


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, in memory."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "none", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """A file takes what is left of the disk."""
    ballast = disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(64 * 1024))
    try:
        yield
    finally:
        ballast.unlink()


def post_until_refused(player: Player) -> httpx.Response:
    """A little may still be written into what the servers hold already."""
    deadline = time.monotonic() + 60
    while (answer := player.send("POST", "/v1/games", {})).status_code == httpx.codes.CREATED:
        assert time.monotonic() < deadline, "the disk does not seem to be full"
    return answer


def test_a_full_disk_refuses_moves_and_loses_none(small_disk: Path, tmp_path: Path) -> None:
    on_disk = {name: str(small_disk / name) for name in ("data", "logs")}
    plan = Plan.beneath(tmp_path, **on_disk)
    journal = Journal()
    with (
        rig(plan) as running,
        closing(Bot(running.up, journal, seed=1)) as bot,
        closing(Player(running.up, Journal(), Random(1))) as other,
        looking_at(running.up) as wiring,
        ThreadPoolExecutor(1) as thread,
    ):
        game = thread.submit(bot.play)
        while len(journal.promises) < 20:
            time.sleep(0.05)
        with filled(small_disk):
            refused = post_until_refused(other)
            assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
            accepted, path = len(journal.promises), f"/v1/games/{journal.games[0]}"
            assert other.get(path)["id"] == journal.games[0]
        for server in (POSTGRES, VALKEY):
            running.start(server)
        assert game.result() == journal.over[0]
        assert len(journal.promises) > accepted
        assert await_projection(wiring, 60)
        log = read_log(running.up, wiring)
        tables = [table_of(wiring.store, game_id) for game_id in log]
        assert not [f for f in faults_of_log(log, journal) if not f.startswith("stored, but")]
        assert list(faults_of_read_models(wiring, tables, wiring.generations.live())) == []
