"""Draining: every read model is the fold of its log, however the drains meet or fail."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from services.projector import drain
from services.projector.changes import Changes, find_changes
from services.projector.wiring import Wiring
from shared.eventstore.store import EventStore
from shared.readmodel.documents import game_hash, places, stale_hash
from shared.readmodel.writer import Placement, Projection, Writer
from shared.table.state import Status
from tests.services.projector.games import (
    PART,
    assert_read_models_are_the_log,
    drain_all,
    go_on,
    plays,
)


def test_read_models_are_the_fold_of_the_log(wiring: Wiring, log: EventStore) -> None:
    games = [play.store(log) for play in plays(8, parts=[0, PART, 255])]
    rng = random.Random(4)
    while games[0].table.status is not Status.FINISHED:
        play = rng.choice(games[:6])
        go_on(play)
        play.store(log)
        if rng.random() < 0.1:
            drain_all(wiring)
    games[1].abort()
    games[1].store(log)
    drain_all(wiring)
    assert {play.table.status for play in games} == set(Status)
    assert_read_models_are_the_log(wiring, games)


def test_a_game_longer_than_a_batch_is_taken_in(
    wiring: Wiring, log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.projector.attempts.BATCH", 50)
    play = plays(1)[0].start().moves(60).store(log)
    assert len(play.records) > 2 * 50
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, [play])


def test_drains_that_meet_have_the_effect_of_one(wiring: Wiring, log: EventStore) -> None:
    games = plays(6)
    stop = threading.Event()

    def drain() -> None:
        while not stop.is_set():
            wiring.projector.drain(PART, wiring.generations.live)

    with ThreadPoolExecutor(4) as threads:
        drains = [threads.submit(drain) for _ in range(4)]
        for _ in range(25):
            for play in games:
                go_on(play)
                play.store(log)
        stop.set()
        for running in drains:
            running.result()
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, games)
    assert wiring.dead_letters.unresolved() == []


def test_where_one_part_was_drained_meanwhile_the_others_are_taken_in(
    wiring: Wiring, log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [play.store(log) for play in plays(6, parts=[1, 2, 3])]

    def find_late(*args: Any) -> Changes:
        monkeypatch.undo()
        found = find_changes(*args)
        wiring.projector.drain(1, wiring.generations.live)
        return found

    monkeypatch.setattr(drain, "find_changes", find_late)
    assert wiring.projector._step([1, 2, 3], wiring.generations.live()) == [1]
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, games)


def test_a_flush_amid_the_drains_is_harmless(wiring: Wiring, log: EventStore) -> None:
    games = plays(6)
    for turn in range(20):
        for play in games:
            go_on(play)
            play.store(log)
        if turn % 5 == 3:
            wiring.redis.flushdb()
        drain_all(wiring)
    assert_read_models_are_the_log(wiring, games)


def test_the_checkpoint_does_not_pass_games_that_a_flush_took_meanwhile(
    wiring: Wiring, log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drain had found them up to date and writes nothing, and the checkpoint is 0 again."""
    fresh, stale = [play.store(log) for play in plays(2)]
    keys, writer = wiring.generations.live(), Writer(wiring.redis)
    writer.project(keys, [Projection(PART, [game_hash(fresh.table)])])
    given_up = stale_hash(stale.game_id, stale.table.version, "why")
    writer.project(keys, [Projection(PART, [given_up])])

    def find_and_flush(*args: Any) -> Changes:
        monkeypatch.undo()
        found = find_changes(*args)
        assert found.games == []
        wiring.redis.flushdb()
        return found

    monkeypatch.setattr(drain, "find_changes", find_and_flush)
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, [fresh, stale])


def test_lists_that_fell_behind_the_games_catch_up(wiring: Wiring, log: EventStore) -> None:
    games = [play.store(log) for play in plays(4)]
    drain_all(wiring)
    keys = wiring.generations.live()
    for key in wiring.redis.scan_iter("{lists}*"):
        wiring.redis.delete(key)
    assert wiring.projector.checkpoints(keys)[PART] == 0
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, games)


def test_a_list_that_was_lost_has_a_game_again_with_its_next_event(
    wiring: Wiring, log: EventStore
) -> None:
    play = plays(1)[0].start().store(log)
    drain_all(wiring)
    lost = [*wiring.redis.scan_iter(f"{wiring.generations.live().list_prefix}*")]
    assert wiring.redis.delete(*lost) == len(lost) > 3
    play.moves(1).store(log)
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, [play])


def test_a_game_that_was_lost_is_read_whole_with_its_next_event(
    wiring: Wiring, log: EventStore
) -> None:
    play = plays(1)[0].start().store(log)
    drain_all(wiring)
    wiring.redis.delete(wiring.generations.live().game(play.game_id))
    play.moves(1).store(log)
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, [play])


def test_documents_of_other_code_are_made_anew(wiring: Wiring, log: EventStore) -> None:
    play = plays(1)[0].start().store(log)
    drain_all(wiring)
    key = wiring.generations.live().game(play.game_id)
    wiring.redis.hset(key, mapping={"stamp": "0.0", "table": b"{}"})
    play.moves(1).store(log)
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, [play])


def test_an_older_version_never_replaces_a_newer_one(wiring: Wiring, log: EventStore) -> None:
    play = plays(1)[0].start().store(log)
    older = play.replayed()
    play.moves(20).store(log)
    drain_all(wiring)
    keys, writer = wiring.generations.live(), Writer(wiring.redis)
    assert writer.project(keys, [Projection(PART, [game_hash(older)])]) == [False]
    assert writer.place(keys, [Placement(PART, [places(older)])]) == [True]
    assert_read_models_are_the_log(wiring, [play])


def test_nothing_is_written_when_the_checkpoint_has_moved(wiring: Wiring, log: EventStore) -> None:
    play = plays(1)[0].start().store(log)
    keys, writer = wiring.generations.live(), Writer(wiring.redis)
    assert writer.project(keys, [Projection(PART, [game_hash(play.table)], (3, 4))]) == [False]
    assert writer.place(keys, [Placement(PART, [places(play.table)], (3, 4))]) == [False]
    assert wiring.redis.keys("{*") == []


def test_a_drain_whose_time_is_over_says_so(wiring: Wiring, log: EventStore) -> None:
    plays(1)[0].start().store(log)
    assert not wiring.projector.drain(PART, wiring.generations.live, seconds=0)
