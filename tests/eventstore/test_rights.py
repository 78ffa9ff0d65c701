"""Append-only, and each role has its own: enforced by the database, whatever the services do."""

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from shared.eventstore.pool import Role, connect_options
from shared.eventstore.store import APPEND, CREATE_GAME, EventStore
from tests.eventstore import games

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


@pytest.mark.parametrize("statement", CHANGES)
@pytest.mark.parametrize("role", ROLES)
def test_no_service_may_change_the_log(url: str, role: Role, statement: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        run(url, role, statement)


@pytest.mark.parametrize("statement", CHANGES)
@pytest.mark.parametrize(
    "mode", ["set role puertorico_owner", "set session_replication_role = replica"]
)
def test_a_trigger_refuses_it_to_the_owner_and_to_a_replicating_superuser(
    url: str, mode: str, statement: str
) -> None:
    with psycopg.connect(url, options="-c search_path=es") as connection:
        connection.execute(mode.encode())
        with pytest.raises(psycopg.Error) as refused:
            connection.execute(statement.encode())
    assert refused.value.sqlstate == "PR403"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "statement",
    [
        "insert into events select * from events",
        "insert into seeds select * from seeds",
        "insert into requests select * from requests",
        "select append_records(0::smallint, null, 0, null, null, '{}', null, null)",
        "create table es.mine ()",
        "alter table events disable trigger append_only",
        "set role puertorico_owner; delete from events",
    ],
)
def test_no_service_writes_events_past_the_two_functions(
    url: str, role: Role, statement: str
) -> None:
    with pytest.raises(psycopg.Error) as refused:
        run(url, role, statement)
    assert refused.value.sqlstate in {"42501", "PR403"}


@pytest.mark.parametrize("role", READERS)
def test_readers_append_nothing(url: str, role: Role) -> None:
    with pytest.raises(InsufficientPrivilege):
        run(url, role, APPEND, 0, uuid4(), 1, bytes(32), bytes(16), ["{}"], *(None,) * 6)
    with pytest.raises(InsufficientPrivilege):
        run(url, role, CREATE_GAME, 0, uuid4(), bytes(16), ["{}"], bytes(32), *(None,) * 7)


@pytest.mark.parametrize("role", READERS)
@pytest.mark.parametrize(
    "secret",
    [
        "seed from seeds",
        "private from events",
        "* from events",
        "code from invitations",
        "answer from requests",
        "password_hash from accounts",
        "* from accounts",
    ],
)
def test_readers_see_no_secret(url: str, role: Role, secret: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        run(url, role, f"select {secret}")


@pytest.mark.parametrize("statement", ["select name from accounts", "select label from tokens"])
def test_the_projector_knows_no_names(url: str, statement: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        run(url, Role.PROJECTOR, statement)


WORK = {
    Role.COMMANDS: """
        insert into accounts (account_id, name) values (gen_random_uuid(), 'Ada');
        update accounts set name = 'ada', password_hash = 'x';
        insert into tokens (token_id, account_id, token_hash, label, scopes)
            select gen_random_uuid(), account_id, sha256('t'), 'cli', '{account}' from accounts;
        delete from tokens;
        delete from requests;
        update invitations set code = 'new';
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
