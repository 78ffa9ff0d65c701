"""What the doctor finds, and that he finds it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Timer
from uuid import uuid4

import psycopg
import pytest
from redis import Redis
from rq import Worker

from services.projector.wiring import Wiring
from services.stack.checks import database, log, machine, projection, redis, web
from services.stack.checks.finding import Finding, clock, size
from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.eventstore.store import EventStore
from shared.readmodel.marks import JOB, projection_queue
from tests.services.projector.games import append_unknown, drain_all
from tests.tables import Play

NOWHERE = "redis://127.0.0.1:9/0"


@pytest.fixture
def pool(settings: Settings) -> Iterator[Pool]:
    with closing(Pool(settings.database_url, Role.QUERIES, max_size=1)) as pool:
        yield pool


@pytest.fixture
def store(settings: Settings) -> Iterator[EventStore]:
    with closing(Pool(settings.database_url, Role.COMMANDS)) as pool:
        yield EventStore(pool)


def ill(findings: Iterable[Finding]) -> list[str]:
    """What is not well; all of it comes with advice."""
    return [f"{finding.text} -> {finding.advice}" for finding in findings if not finding.is_well]


def tamper(url: str, change: str, game: Play, **values: object) -> None:
    """As a superuser behind the trigger."""
    with psycopg.connect(url) as superuser:
        superuser.execute("alter table es.events disable trigger append_only")
        superuser.execute(change.encode(), {"game": game.game_id} | values)
        superuser.execute("alter table es.events enable always trigger append_only")


def make_older(url: str, game: Play, seconds: int) -> None:
    older = "update es.events set recorded_at = recorded_at - make_interval(secs => %(seconds)s)"
    tamper(url, older, game, seconds=seconds)


def test_a_database_of_this_version_is_well(settings: Settings) -> None:
    findings = [
        finding
        for finding in database.check(settings.database_url)
        if "fsync" not in finding.text  # off in the tests
    ]
    assert ill(findings) == []
    assert findings[0].text.startswith("PostgreSQL 1")
    assert findings[-1].text == "All migrations are applied."


def test_a_database_that_is_not_migrated_is_found(settings: Settings) -> None:
    url = settings.database_url.rpartition("/")[0]
    with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
        connection.execute("create database unmigrated template template0")
        try:
            found = ill(database.check(f"{url}/unmigrated"))
        finally:
            connection.execute("drop database unmigrated")
    assert "the first is 0001_events.sql. -> run `puertorico migrate`" in found[-1]


def test_a_database_that_newer_code_migrated_is_found(settings: Settings) -> None:
    with psycopg.connect(settings.database_url, autocommit=True) as connection:
        connection.execute("insert into es.migrations values ('9999_later.sql', '')")
        try:
            found = ill(database.check(settings.database_url))
        finally:
            connection.execute("delete from es.migrations where name = '9999_later.sql'")
    assert "A newer version has migrated this database" in found[-1]


def test_servers_that_do_not_answer_are_found() -> None:
    (found,) = ill(database.check("postgresql://x@127.0.0.1:9/x"))
    assert found.startswith("PostgreSQL does not answer: ")
    settings = Settings("", NOWHERE, NOWHERE)
    (found,) = ill(redis.check(settings))
    assert found.startswith("Redis does not answer: ")
    first, second = ill(web.check("http://127.0.0.1:9"))
    assert first.startswith("Nothing answers for the query service at http://127.0.0.1:9")
    assert second.startswith("Nothing answers for the command service")


def test_a_queue_without_workers_is_found(settings: Settings, redis_url: str) -> None:
    (found,) = ill(redis.check(settings))
    assert found.startswith("No worker takes wake-ups")
    with Redis.from_url(redis_url) as connection:
        worker = Worker([projection_queue(connection)], connection=connection)
        worker.register_birth()  # type: ignore[no-untyped-call]
        assert ill(redis.check(settings)) == []
        worker.register_death()  # type: ignore[no-untyped-call]


def test_wake_ups_that_wait_too_long_are_found(settings: Settings, redis_url: str) -> None:
    with Redis.from_url(redis_url) as connection:
        job = projection_queue(connection).enqueue(JOB, 7)
        assert len(ill(redis.check(settings))) == 1
        job.enqueued_at = datetime.now(UTC) - timedelta(minutes=2)
        job.save()
        _, found = ill(redis.check(settings))
    assert found.startswith("Wake-ups that wait in the queue: 1, the first for 12")


def test_clocks_that_differ_are_found() -> None:
    assert ill([clock("PostgreSQL", datetime.now(UTC))]) == []
    (found,) = ill([clock("PostgreSQL", datetime.now(UTC) - timedelta(minutes=5))])
    assert found.startswith("The clock of PostgreSQL is 300 s off")


def test_a_disk_without_room_is_found(tmp_path: Path) -> None:
    (found,) = ill(machine.check(Path("/proc")))
    assert found.startswith("The disk of /proc has only 0 B free.")
    assert list(machine.check(tmp_path / "nowhere")) == []


def test_sizes_are_written_for_people() -> None:
    assert [size(n) for n in (999, 8_200, 8_400_000, 83_500_000_000)] == [
        "999 B",
        "8 kB",
        "8 MB",
        "83.5 GB",
    ]


def test_read_models_up_to_date_are_well(wiring: Wiring, store: EventStore, pool: Pool) -> None:
    Play(3).start().store(store)
    drain_all(wiring)
    lag, stale = projection.check(pool, wiring.redis)
    assert lag == Finding("The read models hold all that the log has.")
    assert stale == Finding("No game is stale.")


def test_read_models_that_are_behind_are_found_when_it_is_long(
    wiring: Wiring,
    store: EventStore,
    pool: Pool,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(projection, "SECOND_LOOK_SECONDS", 0)
    play = Play(3).start().store(store)
    lag, _ = projection.check(pool, wiring.redis)
    assert f"lack {len(play.records)} events of 1 parts ({play.game_id.bytes[-1]})" in lag.text
    assert lag.is_well
    make_older(settings.database_url, play, seconds=60)
    (found,) = ill(projection.check(pool, wiring.redis))
    assert re.search("the oldest 6[0-9] s old", found)


def test_read_models_that_stand_still_are_told_from_those_that_catch_up(
    wiring: Wiring,
    store: EventStore,
    pool: Pool,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play = Play(3).start().store(store)
    make_older(settings.database_url, play, seconds=4)
    monkeypatch.setattr(projection, "SECOND_LOOK_SECONDS", 0)
    (found,) = ill(projection.check(pool, wiring.redis))
    assert found.endswith("see their logs for why they stand still")
    monkeypatch.setattr(projection, "SECOND_LOOK_SECONDS", 3)
    projector = Timer(0.5, drain_all, [wiring])
    projector.start()
    lag, _ = projection.check(pool, wiring.redis)
    projector.join()
    assert lag.is_well
    assert lag.text.endswith("later they lack 0 of these.")


def test_read_models_ahead_of_a_restored_log_are_found(
    wiring: Wiring, store: EventStore, pool: Pool, settings: Settings
) -> None:
    play = Play(3).start().store(store)
    drain_all(wiring)
    tamper(settings.database_url, "delete from es.events where version > 3", play)
    (found,) = ill(projection.check(pool, wiring.redis))
    assert found.startswith("The read models hold what the log has lost")


def test_without_redis_the_stale_games_are_still_named(
    wiring: Wiring, store: EventStore, pool: Pool
) -> None:
    play = Play(3).store(store)
    append_unknown(store, play)
    drain_all(wiring)
    with Redis.from_url(NOWHERE) as nowhere:
        unseen, stale = ill(projection.check(pool, nowhere))
    assert unseen.startswith("The read models cannot be looked at")
    assert f"Game {play.game_id} is stale since " in stale
    assert "unknown is not a known event type" in stale
    assert stale.endswith(f"run `puertorico refold {play.game_id}`")


def test_many_stale_games_are_counted(
    wiring: Wiring, store: EventStore, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projection, "SHOWN", 1)
    for _ in range(3):
        append_unknown(store, Play(3).store(store))
    drain_all(wiring)
    assert ill(projection.check(pool, wiring.redis))[1:] == [
        "2 more games are stale. -> run `puertorico refold`"
    ]


def test_a_sound_log_is_well(store: EventStore, pool: Pool) -> None:
    over, running = Play(3).start(), Play(4).start().store(store)
    over.abort()
    over.store(store)
    games = log.all_games(pool)
    assert set(games) == {over.game_id, running.game_id} == set(log.newest_games(pool))
    assert ill(log.check_positions(pool)) == []
    chains, draws = log.check_games(pool, games, draws=True)
    assert chains.text.startswith("Games whose chains verify: 2 (")
    assert draws.text == "Games over, whose draws were recomputed: 1."


def test_a_changed_log_is_found(store: EventStore, pool: Pool, settings: Settings) -> None:
    changed, other = Play(3).start().store(store), Play(3).start().store(store)
    change = """
        update es.events set record = replace(record, 'nonce-1', 'nonce-9')
        where game_id = %(game)s"""
    tamper(settings.database_url, change, changed)
    *found, summary = log.check_games(pool, [changed.game_id, other.game_id], draws=False)
    (text,) = ill(found)
    assert f"The log of game {changed.game_id} was changed: event 3: the hash" in text
    assert summary.text.startswith("Games whose chains verify: 1 (")


def test_a_game_taken_out_whole_is_found(store: EventStore, pool: Pool, settings: Settings) -> None:
    gone = Play(3).store(store)
    part = gone.game_id.bytes[-1]
    later = Play(3, game_id=type(gone.game_id)(bytes=uuid4().bytes[:15] + bytes([part])))
    later.store(store)
    tamper(settings.database_url, "delete from es.events where game_id = %(game)s", gone)
    (found,) = ill(log.check_positions(pool))
    assert found.startswith(f"Of part {part} {len(gone.records)} events are missing.")


def test_unfair_draws_and_games_that_cannot_be_folded_are_found(
    store: EventStore, pool: Pool, settings: Settings
) -> None:
    unfair, unknown = Play(3).start(), Play(3).store(store)
    unfair.abort()
    unfair.store(store)
    append_unknown(store, unknown)
    exchange = """
        update es.events e set record = made.record,
            hash = sha256(made.previous || convert_to(made.record, 'UTF8'))
        from (select version, replace(record, '00010203', '10010203') as record,
                     lag(hash) over (order by version) as previous
              from es.events where game_id = %(game)s) made
        where e.game_id = %(game)s and e.version = made.version and e.type = 'seed_revealed'"""
    tamper(settings.database_url, exchange, unfair)
    found = ill(log.check_games(pool, [unfair.game_id, unknown.game_id], draws=True))
    assert f"The draws of game {unfair.game_id} are not fair" in found[0]
    assert f"Game {unknown.game_id} cannot be folded" in found[1]


def test_a_game_that_does_not_exist_is_named(pool: Pool) -> None:
    game = uuid4()
    (found,) = ill(log.check_games(pool, [game], draws=False))
    assert found.startswith(f"There is no game {game}.")
