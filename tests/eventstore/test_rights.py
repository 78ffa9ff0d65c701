"""Append-only, and each role has its own: enforced by the database, whatever the services do."""

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from shared.eventstore.pool import Role, connect_options
from shared.eventstore.store import APPEND, CREATE_GAME, EventStore
from tests.eventstore import games
from tests.eventstore.conftest import opened

ROLES = list(Role)
READERS = [Role.PROJECTOR, Role.QUERIES]
CHANGES = [
    "update events set type = 'Other'",
    "delete from events",
    "truncate events",
    "update seeds set seed = seed",
    "delete from seeds",
    "truncate seeds",
]
BYPASSES = [
    "insert into events select * from events",
    "insert into seeds select * from seeds",
    "insert into requests select * from requests",
    "update invitations set code = code",
    "select append_records(0::smallint, null, 0, null, null, '{}', null, null)",
    "create table es.mine ()",
    "alter table events disable trigger append_only",
]
SECRETS = [
    "select seed from seeds",
    "select private from events",
    "select * from events",
    "select answer from requests",
    "select password_hash from accounts",
    "select * from accounts",
]
FORBIDDEN, APPEND_ONLY = "42501", "PR403"


@pytest.fixture
def url(store: EventStore, each_postgres_url: str) -> Iterator[str]:
    """A database with a game in it, which must be the same afterwards."""
    game = games.create(store, request=games.request("key"))
    before = store.read(game), store.seed(game)
    yield each_postgres_url
    assert (store.read(game), store.seed(game)) == before


def run(url: str, role: Role, statement: str, *parameters: object) -> None:
    with psycopg.connect(url, options=connect_options(role)) as connection:
        connection.execute(statement.encode(), parameters or None)


def refusals(url: str, options: str, statements: list[str]) -> set[str | None]:
    """The SQLSTATEs by which the database refuses each of the statements."""
    states: set[str | None] = set()
    with psycopg.connect(url, options=options) as connection:
        for statement in statements:
            with pytest.raises(psycopg.Error) as refused, connection.transaction():
                connection.execute(statement.encode())
            states.add(refused.value.sqlstate)
    return states


@pytest.mark.parametrize("role", ROLES)
def test_no_service_may_change_the_log(url: str, role: Role) -> None:
    assert refusals(url, connect_options(role), CHANGES) == {FORBIDDEN}


@pytest.mark.parametrize("setting", ["role=puertorico_owner", "session_replication_role=replica"])
def test_a_trigger_refuses_it_to_the_owner_and_to_a_replicating_superuser(
    url: str, setting: str
) -> None:
    assert refusals(url, f"-c search_path=es -c {setting}", CHANGES) == {APPEND_ONLY}


@pytest.mark.parametrize("role", ROLES)
def test_no_service_writes_past_the_two_functions(url: str, role: Role) -> None:
    assert refusals(url, connect_options(role), BYPASSES) == {FORBIDDEN}


@pytest.mark.parametrize("role", READERS)
def test_readers_append_nothing(url: str, role: Role) -> None:
    with pytest.raises(InsufficientPrivilege):
        run(url, role, APPEND, 0, uuid4(), 1, bytes(32), bytes(16), ["{}"], *(None,) * 6)
    with pytest.raises(InsufficientPrivilege):
        run(url, role, CREATE_GAME, 0, uuid4(), bytes(16), ["{}"], bytes(32), *(None,) * 7)


@pytest.mark.parametrize("role", READERS)
def test_readers_see_no_secret(url: str, role: Role) -> None:
    assert refusals(url, connect_options(role), SECRETS) == {FORBIDDEN}


@pytest.mark.parametrize("role", READERS)
def test_readers_read_what_the_command_service_reads(
    url: str, store: EventStore, role: Role
) -> None:
    [game] = {record.game_id for part in store.heads() for record in store.read_part(part, 0, 9)}
    with opened(url, role) as pool:
        reader = EventStore(pool)
        assert reader.read(game) == store.read(game)
        assert reader.read_part(game.bytes[-1], 0, 9) == store.read(game)
        assert (reader.head(game), reader.heads()) == (store.head(game), store.heads())


def test_the_projector_knows_no_names_and_no_codes(url: str) -> None:
    names = [
        "select name from accounts",
        "select label from tokens",
        "select code from invitations",
    ]
    assert refusals(url, connect_options(Role.PROJECTOR), names) == {FORBIDDEN}


WORK = {
    Role.COMMANDS: """
        insert into accounts (account_id, name) values (gen_random_uuid(), 'Ada');
        update accounts set name = 'ada', password_hash = 'x';
        insert into tokens (token_id, account_id, token_hash, label, scopes)
            select gen_random_uuid(), account_id, sha256('t'), 'cli', '{account}' from accounts;
        delete from tokens;
        delete from requests;
        select seed, private from seeds, events""",
    Role.PROJECTOR: """
        select record from events;
        insert into dead_letters (part, game_id, seq, version, error, attempts)
            values (0, gen_random_uuid(), 1, 1, 'why', 3);
        update dead_letters set resolved_at = now()""",
    Role.QUERIES: """
        select account_id, name, created_at, kind from accounts;
        select token_hash, scopes, revoked_at from tokens;
        select record, hash, recorded_at from events;
        select error from dead_letters""",
}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_do_its_work(url: str, role: Role) -> None:
    run(url, role, WORK[role])


def test_names_are_unique_whatever_their_case(url: str) -> None:
    statement = "insert into accounts (account_id, name) values (gen_random_uuid(), %s)"
    run(url, Role.COMMANDS, statement, "Ada")
    with pytest.raises(psycopg.errors.UniqueViolation):
        run(url, Role.COMMANDS, statement, "aDA")


def test_nobody_logs_in_as_a_role_of_the_store(url: str) -> None:
    with psycopg.connect(url) as connection:
        logins = connection.execute(
            "select rolname from pg_roles where not rolcanlogin and rolname like 'puertorico\\_%'"
        ).fetchall()
    assert {name for (name,) in logins} == {"puertorico_owner", *ROLES}
