"""Projectors are killed and Redis is emptied under load; nothing is lost, doubled or torn."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from services.projector.wiring import Wiring
from shared.config import Settings
from shared.eventstore.store import EventStore
from shared.table.state import Status
from tests.services.projector.games import (
    assert_read_models_are_the_log,
    drain_all,
    go_on,
    plays,
)
from tests.tables import Play

KILLS = 15


@contextmanager
def killed_projectors(settings: Settings, number: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    command = [sys.executable, "-m", "tests.services.projector.short_lived", str(KILLS)]
    addresses = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
    running = [subprocess.Popen(command, env=os.environ | addresses) for _ in range(number)]
    try:
        yield running
    finally:
        for process in running:
            process.terminate()
            process.wait()


def assert_not_torn(wiring: Wiring, play: Play) -> None:
    """The checkpoint never passes what is held of the game, which is alone in its part.

    It may be behind: after a flush a game whose beginning is missing is folded from its whole log.
    """
    keys = wiring.generations.live()
    with wiring.redis.pipeline(transaction=True) as pipe:
        pipe.get(keys.checkpoint(play.game_id.bytes[-1]))
        pipe.hget(keys.game(play.game_id), "v")
        checkpoint, version = pipe.execute()
    assert int(checkpoint or 0) <= int(version or 0)


def test_kills_and_flushes_leave_no_trace(
    wiring: Wiring, log: EventStore, settings: Settings
) -> None:
    games = plays(8, parts=range(8))
    with killed_projectors(settings, 2) as projectors:
        for turn in count():
            if all(process.poll() is not None for process in projectors):
                break
            for play in games:
                if play.table.status is not Status.FINISHED:
                    go_on(play)
                    play.store(log)
                assert_not_torn(wiring, play)
            if turn % 20 == 10:
                wiring.redis.flushdb()
        assert [process.returncode for process in projectors] == [0, 0]
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, games)
    assert wiring.dead_letters.unresolved() == []
