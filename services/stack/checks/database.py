"""PostgreSQL: whether it answers, has this version's schema, and knows the time."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg

from services.stack.checks.finding import Finding, clock, size
from shared.eventstore import migrate

_STATE = """
    select current_setting('server_version'), pg_database_size(current_database()),
           clock_timestamp(), current_setting('fsync')"""


def check(url: str) -> Iterator[Finding]:
    """Nothing further can be looked at in a database of which this finds something wrong."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            [(version, bytes_used, now, fsync)] = connection.execute(_STATE).fetchall()
        yield Finding(f"PostgreSQL {version} answers; the database has {size(bytes_used)}.")
        yield clock("PostgreSQL", now)
        if fsync != "on":
            yield Finding(
                "PostgreSQL runs with fsync off.", "switch it on, or a power cut loses games"
            )
        yield _schema(url)
    except psycopg.Error as error:
        said = " ".join(str(error).split())
        yield Finding(f"PostgreSQL does not answer: {said}", "start it, or correct DATABASE_URL")


def _schema(url: str) -> Finding:
    try:
        pending = migrate.pending(url)
    except migrate.MigrationError as error:
        return Finding(str(error), "run the version of this program that the database is for")
    if pending:
        return Finding(
            f"{len(pending)} migrations are not applied, the first is {pending[0]}.",
            "run `puertorico migrate`",
        )
    return Finding("All migrations are applied.")
