"""Migrations: once, all or nothing, never edited."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from shared.eventstore.migrate import MIGRATIONS, MigrationError, migrate
from shared.eventstore.pool import Role, connect_options

NAMES = sorted(path.name for path in MIGRATIONS.glob("*.sql"))


def execute(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


def with_database(url: str, name: str, login: str | None = None) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(
        parts._replace(netloc=f"{login}@{host}" if login else parts.netloc, path=f"/{name}")
    )


@pytest.fixture
def name(worker_id: str) -> str:
    """Workers share the server, so each has its own fresh database."""
    return f"fresh_{worker_id}"


@pytest.fixture
def url(each_postgres_url: str, name: str) -> Iterator[str]:
    """A database in which nothing was ever done."""
    execute(each_postgres_url, f"create database {name}")
    yield with_database(each_postgres_url, name)
    execute(each_postgres_url, f"drop database {name} with (force)")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A copy of the migrations, to be tampered with."""
    for path in MIGRATIONS.glob("*.sql"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def tables(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute("select tablename from pg_tables where schemaname = 'es'")
        return {name for (name,) in rows}


def test_everything_is_applied_once(url: str) -> None:
    assert migrate(url) == NAMES
    assert migrate(url) == []
    assert {"events", "seeds", "requests", "accounts", "dead_letters"} < tables(url)


def test_of_processes_that_start_together_one_migrates_and_the_others_wait(url: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        applied = list(threads.map(migrate, [url] * 4))
    assert sorted(applied) == [[], [], [], NAMES]


def test_everything_belongs_to_a_role_nobody_logs_in_as(url: str) -> None:
    migrate(url)
    with psycopg.connect(url) as connection:
        owners = connection.execute(
            "select distinct pg_get_userbyid(owner) from ("
            " select relowner, relnamespace from pg_class"
            " union all select proowner, pronamespace from pg_proc"
            " union all select nspowner, oid from pg_namespace) as o(owner, namespace)"
            " where namespace = 'es'::regnamespace"
        ).fetchall()
    assert owners == [("puertorico_owner",)]


def test_a_file_edited_after_it_was_applied_is_refused(url: str, directory: Path) -> None:
    migrate(url, directory)
    with (directory / NAMES[1]).open("a") as file:
        file.write("-- an afterthought\n")
    with pytest.raises(MigrationError, match=f"{NAMES[1]} was edited"):
        migrate(url, directory)


def test_a_database_of_a_newer_version_is_refused(url: str, directory: Path) -> None:
    migrate(url, directory)
    (directory / NAMES[-1]).unlink()
    with pytest.raises(MigrationError, match="newer version"):
        migrate(url, directory)


def test_a_file_slipped_in_before_the_last_one_is_refused(url: str, directory: Path) -> None:
    migrate(url, directory)
    (directory / "0000_late.sql").write_text("select 1;\n")
    with pytest.raises(MigrationError, match="0000_late"):
        migrate(url, directory)


def test_a_migration_that_fails_leaves_the_database_as_it_was(url: str, directory: Path) -> None:
    (directory / "9999_faulty.sql").write_text("create table es.half (); select 1 / 0;\n")
    with pytest.raises(psycopg.errors.DivisionByZero):
        migrate(url, directory)
    assert tables(url) == set()
    (directory / "9999_faulty.sql").unlink()
    assert migrate(url, directory) == NAMES


def test_a_database_that_is_not_in_utf8_is_refused(each_postgres_url: str, name: str) -> None:
    latin = with_database(each_postgres_url, f"{name}_latin")
    execute(
        each_postgres_url,
        f"create database {name}_latin encoding 'LATIN1' locale 'C' template template0",
    )
    try:
        with pytest.raises(MigrationError, match="LATIN1"):
            migrate(latin)
    finally:
        execute(each_postgres_url, f"drop database {name}_latin")


def test_an_ordinary_login_that_was_given_the_roles_can_migrate_and_serve(
    url: str, name: str
) -> None:
    roles = ", ".join(["puertorico_owner", *Role])
    execute(url, f"create role {name}_login login password 'p' in role {roles}")
    try:
        execute(url, f"grant create on database {name} to {name}_login")
        login = with_database(url, name, login=f"{name}_login:p")
        assert migrate(login) == NAMES
        with psycopg.connect(login, options=connect_options(Role.QUERIES)) as connection:
            assert connection.execute("select count(*) from tokens").fetchone() == (0,)
    finally:
        execute(url, f"drop owned by {name}_login; drop role {name}_login")
