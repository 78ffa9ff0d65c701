"""Brings a database to the schema of this version: forward only, all or nothing, once.

One transaction holds the advisory lock, the roles and all pending files, so processes that start
together wait for the first, and a failure leaves the database as it was.
"""

from hashlib import sha256
from pathlib import Path

import psycopg

HERE = Path(__file__).parent
MIGRATIONS = HERE / "migrations"
OLDEST_SERVER = 150000
LOCK_CLASS = 1347551232  # "PR" << 16; the lock of a part uses the next number


class MigrationError(Exception):
    """The database cannot be brought to this version; the message says why, in one sentence."""


def migrate(dsn: str, directory: Path = MIGRATIONS) -> list[str]:
    """Applies what is pending and returns the names of the files applied.

    The login of `dsn` must be a superuser, or the database's owner with CREATEROLE.
    """
    files = _files(directory)
    with psycopg.connect(dsn) as connection:
        _check_server(connection)
        connection.execute("select pg_advisory_xact_lock(%s, 0)", (LOCK_CLASS,))
        connection.execute("set local client_min_messages = warning")
        _run(connection, (HERE / "roles.sql").read_text("utf-8"))
        applied = _pending(connection, files)
        for name in applied:
            _run(connection, files[name])
            connection.execute(
                "insert into es.migrations (name, checksum) values (%s, %s)",
                (name, _checksum(files[name])),
            )
    return applied


def pending(dsn: str, directory: Path = MIGRATIONS) -> list[str]:
    """Names what `migrate` would apply. Raises what that would; changes nothing."""
    files = _files(directory)
    with psycopg.connect(dsn) as connection:
        _check_server(connection)
        if connection.execute("select to_regclass('es.migrations')").fetchone() == (None,):
            return list(files)
        connection.execute("set local role puertorico_owner")
        return _pending(connection, files)


def _files(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(directory.glob("*.sql"))}


def _check_server(connection: psycopg.Connection) -> None:
    version = connection.info.server_version
    if version < OLDEST_SERVER:
        raise MigrationError(f"PostgreSQL 15 or newer is needed, not {version // 10000}.")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":  # the hash chain is over UTF-8 text
        raise MigrationError(f"The database must be in UTF8; this one is in {encoding}.")


def _pending(connection: psycopg.Connection, files: dict[str, str]) -> list[str]:
    rows = connection.execute("select name, checksum from es.migrations").fetchall()
    applied: dict[str, str] = dict(rows)
    if unknown := sorted(applied.keys() - files.keys()):
        raise MigrationError(f"A newer version has migrated this database ({unknown[0]}).")
    for name, checksum in applied.items():
        if checksum != _checksum(files[name]):
            raise MigrationError(f"{name} was edited after it had been applied to this database.")
    pending = sorted(files.keys() - applied.keys())
    if pending and applied and pending[0] < max(applied):
        raise MigrationError(f"{pending[0]} sorts before a migration already applied.")
    return pending


def _run(connection: psycopg.Connection, script: str) -> None:
    connection.execute(script.encode())


def _checksum(script: str) -> str:
    return sha256(script.encode()).hexdigest()
