"""What no wake-up has brought up to date is found and done."""

import threading
import time

import psycopg
import pytest
import redis

from services.projector.sweeper import Sweeper
from services.projector.wiring import Wiring
from shared.config import Settings
from shared.eventstore.store import EventStore
from shared.readmodel import generation
from shared.readmodel.documents import account_list
from shared.readmodel.lists import ListReader, ListsIncomplete
from tests.servers import empty_database
from tests.services.projector.games import (
    another,
    assert_read_models_are_the_log,
    await_up_to_date,
    drain_all,
    go_on,
    plays,
)


def test_a_lost_wake_up_is_repaired_after_a_tick(wiring: Wiring, log: EventStore) -> None:
    games = [play.store(log) for play in plays(4, parts=[0, 128])]
    sweeper = Sweeper(wiring)
    assert sweeper.tick() == 0
    assert sweeper.tick() == 2
    assert_read_models_are_the_log(wiring, games)


def test_what_is_up_to_date_is_left_alone(wiring: Wiring, log: EventStore) -> None:
    play = plays(1)[0].store(log)
    sweeper = Sweeper(wiring)
    sweeper.tick()
    drain_all(wiring)
    go_on(play)
    play.store(log)
    assert sweeper.tick() == 0


def test_a_flush_is_repaired(wiring: Wiring, log: EventStore) -> None:
    games = [play.store(log) for play in plays(4, parts=[0, 128])]
    sweeper = Sweeper(wiring)
    drain_all(wiring)
    sweeper.tick()
    wiring.redis.flushdb()
    assert sweeper.tick() == 2
    assert_read_models_are_the_log(wiring, games)


def test_lists_become_complete_while_writes_go_on(wiring: Wiring, log: EventStore) -> None:
    first, second = plays(2)
    sweeper, lists = Sweeper(wiring), ListReader(wiring.redis, wiring.store)
    first.store(log)
    sweeper.tick()
    drain_all(wiring)
    second.store(log)
    with pytest.raises(ListsIncomplete):
        lists.page(account_list(first.table.creator, None), None, 9)
    sweeper.tick()
    assert lists.page(account_list(first.table.creator, None), None, 9).documents


def test_read_models_of_a_log_that_was_restored_to_an_older_state_begin_anew(
    wiring: Wiring, log: EventStore, settings: Settings
) -> None:
    play = plays(1)[0].start().moves(9).store(log)
    drain_all(wiring)
    empty_database(settings.database_url)
    other = plays(1)[0].store(log)
    sweeper = Sweeper(wiring)
    assert [sweeper.tick() for _ in range(3)] == [0, 0, 1]
    assert_read_models_are_the_log(wiring, [other])
    assert not wiring.redis.exists(wiring.generations.live().game(play.game_id))


def test_what_is_left_after_a_restore_is_removed_by_whoever_left_it(
    wiring: Wiring, log: EventStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sweepers find the log cut; the second leaves what the first has begun."""
    plays(1)[0].start().moves(9).store(log)
    drain_all(wiring)
    empty_database(settings.database_url)
    play = plays(1)[0].store(log)
    with another(settings) as other:
        monkeypatch.setattr(generation, "FRESH_SECONDS", 60)
        other.generations.live()
        monkeypatch.undo()
        sweepers = [Sweeper(wiring), Sweeper(other)]
        for one, sweeper in zip([wiring, other], sweepers, strict=True):
            sweeper.tick()
            drain_all(one)
        assert len(generations(wiring)) == 3
        monkeypatch.setattr("services.projector.sweeper.OVERLAP_SECONDS", 0)
        for sweeper in sweepers:
            sweeper.tick()
        assert generations(wiring) == {other.generations.live().generation}
        assert_read_models_are_the_log(other, [play])


def generations(wiring: Wiring) -> set[str]:
    """Of which there are keys."""
    keys = wiring.redis.scan_iter("{*")
    return {key.decode().split(":")[1].removeprefix("g") for key in keys}


def test_the_sweep_goes_on_when_servers_drop_its_connections(
    wiring: Wiring, log: EventStore, settings: Settings
) -> None:
    games = plays(2)
    stop = threading.Event()
    sweeping = threading.Thread(target=Sweeper(wiring).run, args=(stop,), daemon=True)
    sweeping.start()
    for play in games:
        play.store(log)
        drop_connections(settings)
        time.sleep(0.5)
    await_up_to_date(settings)
    stop.set()
    sweeping.join()
    assert_read_models_are_the_log(wiring, games)


def drop_connections(settings: Settings) -> None:
    with psycopg.connect(settings.database_url) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where application_name = 'puertorico_projector' and datname = current_database()"
        )
    with redis.Redis.from_url(settings.redis_url) as client:
        own = client.connection_pool.connection_kwargs["db"]
        for other in client.client_list():
            if other["db"] == str(own):  # the server is shared with other workers of pytest
                client.client_kill_filter(_id=other["id"])
