"""The store alone: appends, and the read models made anew."""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import psycopg

from bench.loader import add_games, command_id_of, copy_of
from bench.prepared import PreparedGame
from bench.rig import Rig
from bench.table import Row
from shared.eventstore.pool import Pool, Role
from shared.eventstore.store import EventStore

BATCH = 100


def append_rows(rig: Rig, games: Sequence[PreparedGame], rounds: int) -> Iterator[Row]:
    """A move's events appended, against one row inserted, on one connection each, in turns."""
    add_games(rig.database_url, [(game.game_id, game.until(0), game.seed) for game in games])
    pool = Pool(rig.database_url, Role.COMMANDS, max_size=1)
    appends = _appends(EventStore(pool), games)
    pairs = []
    with psycopg.connect(rig.database_url, autocommit=True) as connection:
        for _ in range(rounds + 1):
            start = time.perf_counter()
            events = sum(itertools.islice(appends, BATCH))
            middle = time.perf_counter()
            for _ in range(BATCH):
                connection.execute("insert into bare (body) values (%s)", ["x" * 100])
            pairs.append((middle - start, time.perf_counter() - middle))
    pool.close()
    ours, bare = (BATCH / statistics.median(took) for took in zip(*pairs[1:], strict=True))
    yield Row(
        f"appends of a move ({events / BATCH:.1f} events), one connection",
        f"{ours:.0f}/s",
        f"one row inserted by psycopg: {bare:.0f}/s",
        statistics.median(other / mine for mine, other in pairs[1:]),
    )


def _appends(store: EventStore, games: Sequence[PreparedGame]) -> Iterator[int]:
    """Append the next move of a game; says of how many events."""
    for game in games:
        for before, after in itertools.pairwise(game.versions):
            records = game.records[before:after]
            head, command_id = game.records[before - 1].hash, command_id_of(records[0])
            store.append(game.game_id, before, head, command_id, records)
            yield len(records)


def rebuild_row(rig: Rig) -> Row:
    """All read models made anew from the log, while nobody plays."""
    events = sum(EventStore(pool := _pool(rig)).heads().values())
    pool.close()
    start = time.perf_counter()
    environment = os.environ | {"DATABASE_URL": rig.database_url, "REDIS_URL": rig.redis_url}
    with subprocess.Popen(
        [sys.executable, "-m", "services.projector.rebuild"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = next(line for line in process.stdout if "live" in line)
        spent = time.perf_counter() - start
        process.communicate()
    assert process.returncode == 0, said
    return Row("read models rebuilt", f"{events / spent:.0f} events/s ({events} in {spent:.1f} s)")


def grow(rig: Rig, games: Sequence[PreparedGame], whole: int, begun: int) -> None:
    """Add copies of these games: some whole, some that have only just begun."""
    source = itertools.cycle(games)
    add_games(rig.database_url, (copy_of(next(source)) for _ in range(whole)))
    add_games(rig.database_url, (copy_of(next(source), 2) for _ in range(begun)))


def _pool(rig: Rig) -> Pool:
    return Pool(rig.database_url, Role.PROJECTOR, max_size=1)
