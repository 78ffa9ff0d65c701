"""Appending: one call, one transaction, and the same answer to the same command."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from psycopg import IsolationLevel

from shared.eventstore.pool import Pool, Role, connect_options
from shared.eventstore.records import NO_HASH, part_of
from shared.eventstore.store import (
    APPEND,
    EventStore,
    HashConflict,
    Head,
    RequestKeyTaken,
    VersionConflict,
)
from tests.eventstore import games

NONE_YET = Head(0, NO_HASH)


def test_a_game_is_created_with_its_seed_and_invitation(store: EventStore, pool: Pool) -> None:
    game, command = games.new_game_id(), games.new_command()
    records = games.new_records(game, command, NONE_YET, count=2)
    made = store.create_game(
        game, command, records, games.SEED, invitation_code="abc", private={"request_id": "r1"}
    )
    assert (made.first_version, made.last_version, made.replayed) == (1, 2, False)
    assert made.head_hash == records[-1].hash
    assert store.head(game) == Head(2, records[-1].hash)
    assert store.seed(game) == games.SEED
    with pool.connection() as connection:
        assert connection.execute("select code from invitations").fetchall() == [("abc",)]
        private = connection.execute("select distinct private from events").fetchall()
    assert private == [({"request_id": "r1"},)]


def test_records_are_read_back_as_they_were_built(store: EventStore) -> None:
    game = games.create(store)
    command, head = games.new_command(), store.head(game)
    built = games.new_records(game, command, head, count=3)
    store.append(game, head.version, head.hash, command, built)
    stored = store.read(game, after=1)
    assert [(r.version, r.command_ix, r.type, r.text, r.hash) for r in stored] == [
        (r.version, r.command_ix, r.type, r.text, r.hash) for r in built
    ]
    assert {(r.part, r.game_id, r.command_id) for r in stored} == {(part_of(game), game, command)}
    assert store.read(game, after=1, limit=2) == stored[:2]
    assert abs(stored[0].recorded_at - datetime.now(UTC)) < timedelta(minutes=1)


def test_a_part_is_read_in_order_of_commit_without_holes(store: EventStore) -> None:
    one, other = (
        games.create(store, games.new_game_id(7)),
        games.create(store, games.new_game_id(7)),
    )
    games.append(store, one, store.head(one), count=2)
    records = store.read_part(7, after_seq=0, limit=10)
    assert [(r.seq, r.game_id, r.version) for r in records] == [
        (1, one, 1),
        (2, other, 1),
        (3, one, 2),
        (4, one, 3),
    ]
    assert store.read_part(7, after_seq=1, limit=2) == records[1:3]
    heads = store.heads()
    assert heads[7] == 4
    assert heads.keys() == set(range(256))
    assert sum(heads.values()) == 4


def test_an_unknown_game_has_no_records_no_head_and_no_seed(store: EventStore) -> None:
    game = games.new_game_id()
    assert store.read(game) == []
    assert store.head(game) == NONE_YET
    with pytest.raises(LookupError):
        store.seed(game)


def test_a_conflict_names_the_actual_version(store: EventStore) -> None:
    game = games.create(store)
    first = store.head(game)
    games.append(store, game, first, count=4)
    with pytest.raises(VersionConflict) as conflict:
        games.append(store, game, first)
    assert conflict.value.actual_version == 5
    with pytest.raises(VersionConflict) as conflict:
        games.append(store, games.new_game_id(), first)
    assert conflict.value.actual_version == 0


def test_the_same_command_is_answered_alike_whatever_has_happened_since(store: EventStore) -> None:
    game, command = games.create(store), games.new_command()
    head = store.head(game)
    first = games.append(store, game, head, command, count=2)
    games.append(store, game, store.head(game))
    again = games.append(store, game, head, command, count=2)
    assert again.replayed
    assert (again.first_version, again.last_version) == (2, 3)
    assert again.head_hash == first.head_hash
    assert store.head(game).version == 4


def test_another_history_is_refused_even_at_the_right_version(store: EventStore) -> None:
    game = games.create(store)
    with pytest.raises(HashConflict):
        games.append(store, game, Head(1, b"\xff" * 32))
    assert store.head(game).version == 1


def test_a_request_is_stored_with_its_events_and_found_again(store: EventStore) -> None:
    game = games.create(store, request=games.request("create", b"made"))
    games.append(store, game, store.head(game), request=games.request("move", b"moved"))
    found = store.find_request(games.ACCOUNT, "move")
    assert found is not None
    assert (found.request_hash, found.status, found.answer) == (bytes(32), 201, b"moved")
    assert store.find_request(games.ACCOUNT, "other") is None
    assert store.find_request(game, "move") is None


def test_a_key_that_is_taken_leaves_the_game_as_it_was(store: EventStore) -> None:
    game = games.create(store, request=games.request("key"))
    with pytest.raises(RequestKeyTaken):
        games.append(store, game, store.head(game), request=games.request("key"))
    assert store.head(game).version == 1
    other = games.new_game_id()
    with pytest.raises(RequestKeyTaken):
        games.create(store, other, request=games.request("key"))
    with pytest.raises(LookupError):
        store.seed(other)


def test_old_answers_are_forgotten_and_new_ones_kept(store: EventStore) -> None:
    games.create(store, request=games.request("key"))
    assert store.purge_requests(timedelta(hours=24)) == 0
    assert store.find_request(games.ACCOUNT, "key") is not None
    assert store.purge_requests(timedelta(0)) == 1
    assert store.find_request(games.ACCOUNT, "key") is None


def test_many_old_answers_are_forgotten_a_few_at_a_time(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.eventstore.store.PURGED_AT_ONCE", 2)
    for key in "abcde":
        games.create(store, request=games.request(key))
    assert store.purge_requests(timedelta(0)) == 5
    assert all(store.find_request(games.ACCOUNT, key) is None for key in "abcde")


def test_an_append_reads_no_more_of_a_long_game(pool: Pool, store: EventStore) -> None:
    """Also where the planner knows nothing yet of the table."""
    game = games.create(store)
    games.append(store, game, store.head(game), count=300)
    head, command = store.head(game), games.new_command()
    [record] = games.new_records(game, command, head)
    position = (part_of(game), game, head.version, head.hash, command)
    with pool.connection() as connection, connection.transaction():
        connection.execute(APPEND, (*position, record.text, None, *[None] * 5))
        row = connection.execute(
            "select idx_tup_fetch + seq_tup_read from pg_stat_xact_user_tables"
            " where relid = 'es.events'::regclass"
        ).fetchone()
    assert row is not None
    assert row[0] < 10


def test_a_record_that_says_something_else_than_the_call_is_refused(store: EventStore) -> None:
    game, command = games.create(store), games.new_command()
    head = store.head(game)
    for records in (
        games.new_records(games.new_game_id(), command, head),
        games.new_records(game, games.new_command(), head),
        games.new_records(game, command, Head(2, head.hash)),
        games.new_records(game, command, Head(0, head.hash), count=2)[1:],
        [],
    ):
        with pytest.raises(psycopg.Error) as refused:
            store.append(game, head.version, head.hash, command, records)
        assert refused.value.sqlstate == "PR422"
    assert store.head(game) == head


def test_a_game_begins_with_create_game_so_that_it_has_a_seed(store: EventStore) -> None:
    with pytest.raises(psycopg.Error) as refused:
        games.append(store, games.new_game_id(), NONE_YET)
    assert refused.value.sqlstate == "PR422"


@pytest.mark.parametrize("level", [IsolationLevel.REPEATABLE_READ, IsolationLevel.SERIALIZABLE])
def test_an_isolation_that_would_not_see_the_last_append_is_refused(
    store: EventStore, each_postgres_url: str, level: IsolationLevel
) -> None:
    game = games.create(store)
    head, command = store.head(game), games.new_command()
    texts = [r.text for r in games.new_records(game, command, head)]
    call = (part_of(game), game, 1, head.hash, command, texts, *(None,) * 6)
    options = connect_options(Role.COMMANDS)
    with psycopg.connect(each_postgres_url, options=options) as connection:
        connection.isolation_level = level
        with pytest.raises(psycopg.errors.InvalidTransactionState):
            connection.execute(APPEND, call)
