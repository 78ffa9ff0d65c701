"""A rebuild beside the live read models, while games go on and are read."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec import structs

from services.projector import rebuild as module
from services.projector.drain import Projector
from services.projector.feed import Feed
from services.projector.rebuild import RebuildError, rebuild
from services.projector.wiring import Wiring
from shared.config import Settings
from shared.eventstore.store import EventStore
from shared.readmodel.documents import document_field, public_list
from shared.readmodel.games import GameReader
from shared.readmodel.keys import FIRST_GENERATION, Keys
from shared.readmodel.lists import ListReader
from tests.services.projector.games import (
    another,
    append_unknown,
    assert_read_models_are_the_log,
    drain_all,
    go_on,
    plays,
)
from tests.tables import Play


class Life:
    """Somebody plays and drains, somebody reads, until it is over."""

    def __init__(self, wiring: Wiring, log: EventStore, games: list[Play]) -> None:
        self.wiring, self.log, self.games = wiring, log, games
        self.over = threading.Event()
        self.written = {play.game_id: len(play.records) for play in games}

    def play(self) -> None:
        while not self.over.is_set():
            for play in self.games:
                go_on(play)
                play.store(self.log)
                self.wiring.projector.drain(play.game_id.bytes[-1], self.wiring.generations.live)
                self.written[play.game_id] = len(play.records)

    def read(self) -> int:
        """Each game again and again: never missing, never older than it was, listed always."""
        games = GameReader(self.wiring.redis, self.wiring.store)
        lists = ListReader(self.wiring.redis, self.wiring.store)
        fields, reads = [document_field(None)], 0
        public = sum(play.table.visibility == "public" for play in self.games)
        while not self.over.is_set():
            for play in self.games:
                least = self.written[play.game_id]
                with self.wiring.redis.pipeline() as pipe:
                    games.ask(pipe, play.game_id, fields)
                    held = games.answer(pipe.execute()[0], fields)
                assert held is not None
                table = games.catch_up(play.game_id, least)
                assert table is not None
                assert table.version >= least
                assert len(lists.page(public_list(None), None, 100).documents) == public
                reads += 1
        return reads


def test_reads_are_right_throughout(wiring: Wiring, log: EventStore, settings: Settings) -> None:
    games = [play.start().moves(40).store(log) for play in plays(6, parts=range(3))]
    drain_all(wiring)
    assert ListReader(wiring.redis, wiring.store).page(public_list(None), None, 1).documents
    said: list[str] = []
    with another(settings) as other, ThreadPoolExecutor(2) as threads:
        life = Life(other, log, games)
        playing, reading = threads.submit(life.play), threads.submit(life.read)
        try:
            rebuild(wiring, said.append)
        finally:
            life.over.set()
        playing.result()
        assert reading.result() > 10
    drain_all(wiring)
    assert_read_models_are_the_log(wiring, games)
    assert "The new read models are live." in said
    assert wiring.generations.live().generation != FIRST_GENERATION


def test_nothing_of_the_old_generation_is_left(wiring: Wiring, log: EventStore) -> None:
    for play in plays(3):
        play.store(log)
    drain_all(wiring)
    rebuild(wiring, lambda _: None)
    live = wiring.generations.live().generation
    kept = {key.decode() for key in wiring.redis.keys("*") if isinstance(key, bytes)}
    assert {key for key in kept if f":g{live}:" not in key} == {"generation"}


def test_a_game_that_fails_anew_stops_the_switch(wiring: Wiring, log: EventStore) -> None:
    play = plays(1)[0].store(log)
    append_unknown(log, play)
    with pytest.raises(RebuildError, match="1 more game"):
        rebuild(wiring, lambda _: None)
    assert wiring.generations.live() == Keys(FIRST_GENERATION)
    assert wiring.redis.keys("*:g[1-9]*") == []


def test_a_game_that_was_stale_is_tried_again(wiring: Wiring, log: EventStore) -> None:
    stale, fine = [play.store(log) for play in plays(2)]
    append_unknown(log, stale)
    drain_all(wiring)
    said: list[str] = []
    rebuild(wiring, said.append)
    assert any("cannot be folded" in line for line in said)
    held = wiring.redis.hget(wiring.generations.live().game(fine.game_id), "v")
    assert held == str(len(fine.records)).encode()


def test_there_is_one_rebuild_at_a_time(wiring: Wiring) -> None:
    wiring.redis.set(module.LOCK, "another")
    with pytest.raises(RebuildError, match="running"):
        rebuild(wiring, lambda _: None)
    assert wiring.redis.get(module.LOCK) == b"another"


class Interrupted(Projector):
    """A projector that does something else after each part."""

    def __init__(self, wiring: Wiring, then: Callable[[], object]) -> None:
        super().__init__(wiring.redis, wiring.store, Feed(wiring.pool), wiring.dead_letters)
        self.then = then

    def drain(self, part: int, live: Callable[[], Keys], seconds: float = 10) -> bool:
        is_done = super().drain(part, live, seconds)
        self.then()
        return is_done


def interrupted(wiring: Wiring, then: Callable[[], object]) -> Wiring:
    return structs.replace(wiring, projector=Interrupted(wiring, then))


def test_a_rebuild_may_take_longer_than_its_lock_holds(
    wiring: Wiring, log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for play in plays(6, parts=range(6)):
        play.store(log)
    monkeypatch.setattr(module, "LOCK_SECONDS", 1)
    monkeypatch.setattr(module, "OVERLAP_SECONDS", 0)
    locked: list[bool] = []

    def take_long() -> None:
        time.sleep(0.3)
        locked.append(bool(wiring.redis.exists(module.LOCK)))

    rebuild(interrupted(wiring, take_long), lambda _: None)
    assert locked == [True] * 6
    assert not wiring.redis.exists(module.LOCK)


def test_a_rebuild_that_has_lost_its_lock_leaves_all_to_the_next(
    wiring: Wiring, log: EventStore
) -> None:
    """As when its machine slept for a minute, and another rebuild began."""
    play = plays(1)[0].store(log)
    other = Keys("1").game(play.game_id)

    def lose() -> None:
        wiring.redis.set(module.LOCK, "another")
        wiring.redis.hset(other, "v", "1")

    with pytest.raises(RebuildError, match="held up"):
        rebuild(interrupted(wiring, lose), lambda _: None)
    assert wiring.redis.get(module.LOCK) == b"another"
    assert wiring.redis.exists(other)
    assert wiring.generations.live() == Keys(FIRST_GENERATION)
