"""Lists: pages of whole documents, and none before all were complete once."""

from collections.abc import Iterator

import pytest
from redis import Redis

from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.eventstore.records import part_of
from shared.eventstore.store import EventStore
from shared.ids import uuid7
from shared.readmodel.documents import account_list, places, public_list, turn_list
from shared.readmodel.generation import Generations
from shared.readmodel.lists import ListReader, ListsIncomplete
from shared.readmodel.writer import Placement, Writer
from shared.table.state import Status
from shared.views.summary import summary_document, turn_documents
from tests.tables import Play


@pytest.fixture
def log(settings: Settings) -> Iterator[EventStore]:
    pool = Pool(settings.database_url, Role.COMMANDS)
    yield EventStore(pool)
    pool.close()


@pytest.fixture
def redis(settings: Settings) -> Iterator[Redis]:
    with Redis.from_url(settings.redis_url) as redis:
        yield redis


@pytest.fixture
def lists(redis: Redis, log: EventStore) -> ListReader:
    return ListReader(redis, log)


def place(redis: Redis, play: Play, *, move: tuple[int, int] | None = None) -> None:
    keys = Generations(redis).live()
    placement = Placement(part_of(play.game_id), [places(play.table)], move)
    assert Writer(redis).place(keys, [placement]) == [True]


def test_pages_go_from_the_newest_game_to_the_oldest(redis: Redis, lists: ListReader) -> None:
    games = [Play(3, game_id=game_id) for game_id in sorted(uuid7() for _ in range(5))]
    for play in games:
        place(redis, play)
    expected = [summary_document(play.table) for play in reversed(games)]
    first = lists.page(public_list("open"), None, 2)
    second = lists.page(public_list("open"), first.next, 2)
    third = lists.page(public_list("open"), second.next, 2)
    assert [*first.documents, *second.documents, *third.documents] == expected
    assert third.next is None


def test_a_page_that_ends_with_the_list_is_the_last(redis: Redis, lists: ListReader) -> None:
    place(redis, Play(3))
    assert lists.page(public_list(None), None, 1).next is None


def test_a_game_moves_from_list_to_list(redis: Redis, lists: ListReader) -> None:
    play = Play(3)
    place(redis, play)
    play.start()
    place(redis, play)
    assert lists.page(public_list(Status.OPEN), None, 9).documents == []
    summary = summary_document(play.table)
    assert lists.page(public_list(Status.RUNNING), None, 9).documents == [summary]
    for account in play.table.seats:
        assert lists.page(account_list(account, None), None, 9).documents == [summary]


def test_turns_follow_who_is_awaited(redis: Redis, lists: ListReader) -> None:
    play = Play(3).start()
    for _ in range(30):
        play.move()
        place(redis, play)
        turns = turn_documents(play.table)
        for account in play.table.seats:
            expected = [turns[account]] if account in turns else []
            assert lists.page(turn_list(account), None, 9).documents == expected


def test_a_private_game_is_in_the_lists_of_its_members_only(
    redis: Redis, lists: ListReader
) -> None:
    play = Play(3, visibility="private")
    place(redis, play)
    assert lists.page(public_list(None), None, 9).documents == []
    account = play.table.creator
    assert len(lists.page(account_list(account, "open"), None, 9).documents) == 1


def test_lists_that_were_never_complete_are_not_shown(
    redis: Redis, lists: ListReader, log: EventStore
) -> None:
    play = Play(3).store(log)
    with pytest.raises(ListsIncomplete):
        lists.page(public_list(None), None, 9)
    place(redis, play, move=(0, len(play.records)))
    assert len(lists.page(public_list(None), None, 9).documents) == 1
    Play(3).store(log)
    assert len(lists.page(public_list(None), None, 9).documents) == 1
    redis.flushdb()
    with pytest.raises(ListsIncomplete):
        lists.page(public_list(None), None, 9)
