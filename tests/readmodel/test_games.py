"""Reading one game: from Redis if it is there, from the log if it is not."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.eventstore.records import Record
from shared.eventstore.store import EventStore
from shared.ids import uuid7
from shared.readmodel.documents import document_field, legal_field
from shared.readmodel.games import GameReader, GameUnreadable, HeldGame
from shared.views.legal import legal_document
from shared.views.state import state_document
from shared.wire import events
from tests.tables import Play


class CountingStore(EventStore):
    """Says how often the log was read."""

    reads = 0

    def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Record]:
        self.reads += 1
        return super().read(game_id, after, limit)


@pytest.fixture
def log(settings: Settings) -> Iterator[CountingStore]:
    pool = Pool(settings.database_url, Role.COMMANDS)
    yield CountingStore(pool)
    pool.close()


@pytest.fixture
def redis(settings: Settings) -> Iterator[Redis]:
    with Redis.from_url(settings.redis_url) as redis:
        yield redis


@pytest.fixture
def reader(redis: Redis, log: CountingStore) -> GameReader:
    return GameReader(redis, log)


@pytest.fixture
def play(log: CountingStore) -> Play:
    return Play(3).start().moves(20).store(log)


def ask(redis: Redis, reader: GameReader, play: Play, *fields: str) -> HeldGame | None:
    with redis.pipeline(transaction=False) as pipe:
        reader.ask(pipe, play.game_id, fields)
        [row] = pipe.execute()
    return reader.answer(row, fields)


def test_a_miss_is_filled_from_the_log(redis: Redis, reader: GameReader, play: Play) -> None:
    fields = [document_field(None), document_field(2), legal_field(1)]
    assert ask(redis, reader, play, *fields) is None
    table = reader.catch_up(play.game_id)
    assert table == play.replayed()
    held = ask(redis, reader, play, *fields)
    assert held is not None
    assert held.version == table.version
    assert held.documents == {
        document_field(None): state_document(table, None),
        document_field(2): state_document(table, 2),
        legal_field(1): legal_document(table, 1),
    }


def test_access_says_who_has_which_seat(redis: Redis, reader: GameReader, play: Play) -> None:
    reader.catch_up(play.game_id)
    held = ask(redis, reader, play)
    assert held is not None
    for seat, account in enumerate(play.table.seats):
        assert held.access.seat_of(account) == seat
    assert held.access.seat_of(str(uuid7())) is None
    assert held.access.may_be_seen_by(None)


def test_what_is_behind_gets_its_tail(
    redis: Redis, reader: GameReader, play: Play, log: CountingStore
) -> None:
    reader.catch_up(play.game_id)
    play.moves(5).store(log)
    assert reader.catch_up(play.game_id) == play.replayed()
    held = ask(redis, reader, play)
    assert held is not None
    assert held.version == len(play.records)


@pytest.mark.parametrize("field", ["stamp", "stale"])
def test_what_other_code_made_or_is_stale_is_a_miss(
    redis: Redis, reader: GameReader, play: Play, field: str
) -> None:
    reader.catch_up(play.game_id)
    [key] = redis.keys("*game:*")
    redis.hset(key, field, "another")
    assert ask(redis, reader, play) is None
    assert reader.catch_up(play.game_id) == play.replayed()
    assert ask(redis, reader, play) is not None


def test_there_is_no_game_that_the_log_does_not_have(reader: GameReader) -> None:
    assert reader.catch_up(uuid7()) is None


def test_without_redis_the_log_is_read(play: Play, log: CountingStore) -> None:
    nowhere = Redis(port=1, retry=Retry(NoBackoff(), 0))
    assert GameReader(nowhere, log).catch_up(play.game_id) == play.replayed()


def test_a_game_that_cannot_be_folded_is_told_from_one_that_is_not_there(
    reader: GameReader, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {name: kind for name, kind in events.TYPES.items() if name != "role_chosen"}
    monkeypatch.setattr(events, "TYPES", known)
    with pytest.raises(GameUnreadable):
        reader.catch_up(play.game_id)


def test_many_who_miss_share_one_fold(reader: GameReader, play: Play, log: CountingStore) -> None:
    with ThreadPoolExecutor(16) as threads:
        tables = list(threads.map(lambda _: reader.catch_up(play.game_id), range(16)))
    assert all(table == play.replayed() for table in tables)
    assert log.reads < 16
