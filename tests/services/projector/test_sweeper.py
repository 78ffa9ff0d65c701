"""What no wake-up has brought up to date is found and done."""

import threading
import time

import psycopg
import redis

from services.projector.sweeper import Sweeper
from services.projector.wiring import Wiring, wire
from shared.config import Settings
from shared.eventstore.store import EventStore
from tests.services.projector.games import assert_read_models_are_the_log, drain_all, go_on, plays


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
        client.client_kill_filter(_type="normal", skipme=True)


def await_up_to_date(settings: Settings) -> None:
    """By connections of its own."""
    other = wire(settings)
    end = time.monotonic() + 30
    try:
        while other.projector.checkpoints(other.generations.live()) != other.store.heads():
            assert time.monotonic() < end
            time.sleep(0.1)
    finally:
        other.pool.close()
        other.redis.close()
