"""Many at once: nothing doubled, nothing lost, no hole in the order."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import TypeVar

import psycopg
import pytest

from shared.eventstore.pool import Pool, Role, connect_options
from shared.eventstore.store import (
    Appended,
    EventStore,
    Head,
    RequestKeyTaken,
    StoreError,
    VersionConflict,
)
from shared.eventstore.verify import verify_chain
from tests.eventstore import games

THREADS = 8
T = TypeVar("T")


def at_once(number: int, act: Callable[[int], T]) -> list[T | StoreError]:
    """What each of so many threads got or was refused, all of them starting together."""
    barrier = Barrier(number)

    def one(index: int) -> T | StoreError:
        barrier.wait()
        try:
            return act(index)
        except StoreError as refusal:
            return refusal

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(one, range(number)))


def test_of_two_creators_of_a_game_one_succeeds_and_one_learns_of_it(store: EventStore) -> None:
    for _ in range(20):
        game = games.new_game_id()
        outcomes = at_once(2, lambda _: games.create(store, game))  # noqa: B023
        [refusal] = [o for o in outcomes if isinstance(o, StoreError)]
        assert isinstance(refusal, VersionConflict)
        assert refusal.actual_version == 1
        assert len(store.read(game)) == 1


def test_the_same_command_a_hundred_times_from_eight_threads_is_one_event_with_one_answer(
    store: EventStore,
) -> None:
    game, command = games.create(store), games.new_command()
    head, request = store.head(game), games.request("key", b"the answer")

    def insist(_: int) -> list[Appended]:
        return [games.append(store, game, head, command, request=request) for _ in range(100)]

    answers = [
        a for outcome in at_once(THREADS, insist) if isinstance(outcome, list) for a in outcome
    ]
    assert len(answers) == THREADS * 100
    assert [answer.replayed for answer in answers].count(False) == 1
    [event] = store.read(game, after=1)
    assert {(a.first_version, a.last_version, a.head_hash) for a in answers} == {(2, 2, event.hash)}
    found = store.find_request(games.ACCOUNT, "key")
    assert found is not None
    assert found.answer == b"the answer"


def test_of_appends_at_the_same_version_exactly_one_succeeds(store: EventStore) -> None:
    game = games.create(store)
    for version in range(1, 21):
        head = store.head(game)
        outcomes = at_once(THREADS, lambda _: games.append(store, game, head))  # noqa: B023
        conflicts = [o.actual_version for o in outcomes if isinstance(o, VersionConflict)]
        assert conflicts == [version + 1] * (THREADS - 1)
    assert store.head(game).version == 21
    assert verify_chain(store.read(game)) is None


def test_one_key_used_for_two_games_at_once_changes_one_of_them(store: EventStore) -> None:
    for turn in range(20):
        pair = [games.create(store), games.create(store)]
        request = games.request(f"key {turn}")

        def use(index: int) -> Appended:
            game = pair[index]  # noqa: B023
            return games.append(store, game, store.head(game), request=request)  # noqa: B023

        refusals = [o for o in at_once(2, use) if isinstance(o, RequestKeyTaken)]
        assert len(refusals) == 1
        assert sorted(store.head(game).version for game in pair) == [1, 2]


class OneTransaction(Pool):
    """Connections whose transaction the test ends, late or by a rollback."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.commit = True
        self.delay = 0.0

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        with psycopg.connect(self._url, options=connect_options(Role.COMMANDS)) as connection:
            yield connection
            time.sleep(self.delay)
            if not self.commit:
                connection.rollback()


PART = 7


def write(url: str, seed: int) -> int:
    """A game of 25 moves in the one part, with slow commits and rollbacks; how many were kept."""
    chance, transaction = random.Random(seed), OneTransaction(url)
    store = EventStore(transaction)
    game = games.create(store, games.new_game_id(PART))
    head, kept = store.head(game), 1
    for _ in range(25):
        transaction.delay = chance.uniform(0, 0.004)
        transaction.commit = chance.random() > 0.1
        appended = games.append(store, game, head, count=chance.randint(1, 3))
        if transaction.commit:
            kept += appended.last_version - head.version
            head = Head(appended.last_version, appended.head_hash)
    return kept


def tail(store: EventStore, writers: list[Future[int]]) -> list[int]:
    """The positions a reader sees who always asks for what follows the last one it saw."""
    seen = [0]
    while True:
        over = all(writer.done() for writer in writers)
        seen += [record.seq for record in store.read_part(PART, seen[-1], limit=50)]
        if over and store.heads()[PART] == seen[-1]:
            return seen[1:]


@pytest.mark.timeout(60)
def test_a_reader_who_follows_a_part_misses_nothing_and_sees_no_hole(
    store: EventStore, each_postgres_url: str
) -> None:
    with ThreadPoolExecutor(THREADS) as threads:
        writers = [threads.submit(write, each_postgres_url, seed) for seed in range(THREADS)]
        seen = tail(store, writers)
    kept = sum(writer.result() for writer in writers)
    assert kept > 250
    assert seen == list(range(1, kept + 1))
    for game in {record.game_id for record in store.read_part(PART, 0, limit=kept)}:
        assert verify_chain(store.read(game)) is None


def test_a_call_that_would_wait_long_for_the_part_gives_up(
    store: EventStore, each_postgres_url: str
) -> None:
    game = games.create(store)
    head = store.head(game)
    with psycopg.connect(each_postgres_url) as holder:
        holder.execute("select pg_advisory_xact_lock(1347551233, %s)", (game.bytes[-1],))
        before = time.monotonic()
        with pytest.raises(psycopg.errors.LockNotAvailable):
            games.append(store, game, head)
        assert 1 < time.monotonic() - before < 4
    assert games.append(store, game, head).last_version == 2
