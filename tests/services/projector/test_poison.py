"""An event that cannot be folded stops its own game and nothing else."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest
from msgspec import structs
from prometheus_client import REGISTRY

from services.projector import drain
from services.projector.attempts import ATTEMPTS, BATCH
from services.projector.changes import Changes, find_changes
from services.projector.drain import Projector
from services.projector.feed import Feed
from services.projector.refold import refold
from services.projector.wiring import Wiring
from shared.config import Settings
from shared.eventstore.records import Record
from shared.eventstore.store import EventStore
from shared.readmodel.games import GameReader
from shared.readmodel.writer import Writer
from shared.table.events import PlayerJoined
from shared.wire import events
from tests.services.projector.games import (
    PART,
    append_unknown,
    assert_read_models_are_the_log,
    drain_all,
    go_on,
    plays,
    table_of,
)
from tests.tables import Play


def held(wiring: Wiring, play: Play) -> dict[bytes, bytes]:
    with wiring.redis.pipeline() as pipe:
        pipe.hgetall(wiring.generations.live().game(play.game_id))
        fields: dict[bytes, bytes] = pipe.execute()[0]
    return fields


def letters(wiring: Wiring) -> list[tuple[object, ...]]:
    with wiring.pool.connection() as connection:
        rows = connection.execute("select game_id, version, attempts, error from es.dead_letters")
        return rows.fetchall()


def failures() -> float:
    return REGISTRY.get_sample_value("puertorico_projection_failures_total") or 0


def test_the_others_go_on_and_the_game_is_stale(wiring: Wiring, log: EventStore) -> None:
    poisoned, *others = [play.store(log) for play in plays(5)]
    append_unknown(log, poisoned)
    for play in others:
        go_on(play)
        play.store(log)
    drain_all(wiring)
    assert b"unknown is not a known event type" in held(wiring, poisoned)[b"stale"]
    version = len(poisoned.records) + 1
    [(game_id, at, attempts, error)] = letters(wiring)
    assert (game_id, at, attempts) == (poisoned.game_id, version, ATTEMPTS)
    assert "UnknownEvent" in str(error)
    keys = wiring.generations.live()
    assert all(b"stale" not in held(wiring, play) for play in others)
    assert wiring.projector.checkpoints(keys) == wiring.store.heads()


def test_it_is_found_among_many_events(wiring: Wiring, log: EventStore) -> None:
    before, poisoned, after = plays(3)
    before.start().moves(60).store(log)
    poisoned.store(log)
    append_unknown(log, poisoned)
    after.start().moves(60).store(log)
    assert min(len(before.records), len(after.records)) > BATCH // 2
    drain_all(wiring)
    assert b"stale" in held(wiring, poisoned)
    assert held(wiring, before)[b"v"] == str(len(before.records)).encode()
    assert held(wiring, after)[b"v"] == str(len(after.records)).encode()


def test_other_parts_that_are_drained_with_it_lose_nothing(wiring: Wiring, log: EventStore) -> None:
    first, poisoned, last = [play.store(log) for play in plays(3, [1, 2, 3])]
    append_unknown(log, poisoned)
    keys = wiring.generations.live()
    assert wiring.projector._step([1, 2, 3], keys) == [2]
    assert_checkpoints(wiring, {1: len(first.records), 2: 0, 3: len(last.records)})
    assert not wiring.redis.exists(keys.attempts(1), keys.attempts(3))
    assert wiring.projector.drain_parts([1, 2, 3], lambda: keys) == []
    assert_checkpoints(wiring, wiring.store.heads())
    assert b"stale" in held(wiring, poisoned)


def assert_checkpoints(wiring: Wiring, expected: dict[int, int]) -> None:
    found = wiring.projector.checkpoints(wiring.generations.live())
    assert {part: found[part] for part in expected} == expected


def test_later_events_of_the_game_cost_no_attempts(wiring: Wiring, log: EventStore) -> None:
    poisoned = plays(1)[0].store(log)
    append_unknown(log, poisoned)
    drain_all(wiring)
    before = failures()
    append_unknown(log, poisoned)
    drain_all(wiring)
    assert failures() == before
    assert len(letters(wiring)) == 1


def test_a_flush_brings_no_second_dead_letter(wiring: Wiring, log: EventStore) -> None:
    poisoned = plays(1)[0].store(log)
    append_unknown(log, poisoned)
    drain_all(wiring)
    wiring.redis.flushdb()
    drain_all(wiring)
    assert b"stale" in held(wiring, poisoned)
    assert len(letters(wiring)) == 1


def test_after_a_fix_the_game_is_folded_anew(
    wiring: Wiring, log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    poisoned, other = [play.store(log) for play in plays(2)]
    append_unknown(log, poisoned)
    drain_all(wiring)
    assert "UnknownEvent" in refold(wiring, [])[0]
    monkeypatch.setitem(events.TYPES, "unknown", (PlayerJoined, 1))
    assert refold(wiring, []) == []
    assert wiring.dead_letters.unresolved() == []
    assert_read_models_are_the_log(wiring, [poisoned, other])
    append_unknown(log, poisoned)
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, [poisoned, other])


class GoesOn(EventStore):
    """A store in which something happens each time after the log was read, while there is any."""

    def __init__(self, wiring: Wiring, *happenings: Callable[[], None]) -> None:
        super().__init__(wiring.pool)
        self.happenings = list(happenings)

    def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Record]:
        records = super().read(game_id, after, limit)
        if self.happenings:
            self.happenings.pop(0)()
        return records


@pytest.fixture
def fixed(wiring: Wiring, log: EventStore, monkeypatch: pytest.MonkeyPatch) -> Play:
    """A game that is stale, and whose events can be folded since."""
    play = plays(1)[0].store(log)
    append_unknown(log, play)
    drain_all(wiring)
    monkeypatch.setitem(events.TYPES, "unknown", (PlayerJoined, 1))
    return play


def test_what_comes_while_a_game_is_folded_anew_is_taken_in(
    wiring: Wiring, log: EventStore, fixed: Play
) -> None:
    """The first time it is passed, since the game is stale; the next time too."""

    def go_on() -> None:
        append_unknown(log, fixed)
        drain_all(wiring)

    store = GoesOn(wiring, go_on, go_on)
    assert refold(structs.replace(wiring, store=store), []) == []
    assert store.happenings == []
    assert wiring.dead_letters.unresolved() == []
    assert_read_models_are_the_log(wiring, [fixed])


def test_a_drain_does_not_pass_a_game_that_was_folded_anew_meanwhile(
    wiring: Wiring, log: EventStore, fixed: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was stale when the drain asked what is held of it, and what is written lacks an event."""
    keys, table = wiring.generations.live(), table_of(log, fixed.game_id)

    def find_and_write(*args: Any) -> Changes:
        monkeypatch.setattr(drain, "find_changes", find_changes)
        found = find_changes(*args)
        assert Writer(wiring.redis).restore(keys, table)
        return found

    monkeypatch.setattr(drain, "find_changes", find_and_write)
    append_unknown(log, fixed)
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, [fixed])


def test_what_comes_while_a_stale_game_is_read_is_taken_in(
    wiring: Wiring, log: EventStore, fixed: Play
) -> None:
    def go_on() -> None:
        append_unknown(log, fixed)
        drain_all(wiring)

    reader = GameReader(wiring.redis, GoesOn(wiring, go_on))
    reader.catch_up(fixed.game_id)
    assert b"stale" in held(wiring, fixed)  # or else nobody would know that it is behind
    reader.catch_up(fixed.game_id)
    assert_read_models_are_the_log(wiring, [fixed])


def test_a_game_of_which_the_log_has_lost_events_is_not_folded_anew(
    wiring: Wiring, fixed: Play
) -> None:
    wiring.redis.hset(wiring.generations.live().game(fixed.game_id), "v", 99)
    assert "LogCut" in refold(wiring, [])[0]
    assert wiring.dead_letters.unresolved() == [fixed.game_id]


class Unreadable(EventStore):
    """A store that fails between two reads, as in a restart of the server."""

    def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Record]:
        raise psycopg.OperationalError(f"cannot read {game_id} after {after}, {limit} at most")


def test_an_outage_is_no_poison(wiring: Wiring, log: EventStore) -> None:
    play = plays(1)[0].store(log)
    drain_all(wiring)
    play.start().store(log)
    wiring.redis.delete(wiring.generations.live().game(play.game_id))
    cut_off = Projector(
        wiring.redis, Unreadable(wiring.pool), Feed(wiring.pool), wiring.dead_letters
    )
    for _ in range(2 * ATTEMPTS + 4):
        with pytest.raises(psycopg.OperationalError):
            cut_off.drain(PART, wiring.generations.live)
    drain_all(wiring)
    assert letters(wiring) == []
    assert_read_models_are_the_log(wiring, [play])


def test_an_event_that_ends_the_process_is_given_up_too(
    wiring: Wiring, log: EventStore, settings: Settings
) -> None:
    poisoned, other, elsewhere = [play.store(log) for play in plays(3, [PART, PART, PART + 1])]
    append_unknown(log, poisoned, "deadly")
    for play in (other, elsewhere):
        play.start().store(log)
    addresses = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
    projector = [sys.executable, "-m", "tests.services.projector.deadly"]
    ran = subprocess.run(projector, env=os.environ | addresses, stdout=subprocess.PIPE, check=True)
    assert ATTEMPTS < int(ran.stdout) < 10
    assert held(wiring, poisoned)[b"stale"] == b"The process ended while it handled the event."
    for play in (other, elsewhere):
        assert held(wiring, play)[b"v"] == str(len(play.records)).encode()
