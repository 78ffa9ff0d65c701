"""Real servers for the tests: one PostgreSQL and one Valkey for each run of pytest.

The first test that needs them starts a keeper, in whatever worker it runs. The keeper ends when
pytest does, however that comes: pytest holds a lock that the keeper waits for. Each worker has a
database of its own, made from a migrated template, and a Redis database of its own.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path

import psycopg
import redis
from psycopg import sql

from services.stack.data_directory import DataDirectory, Servers, write_private
from services.stack.embedded import embedded
from shared.eventstore.migrate import migrate

RUN = "PUERTORICO_TEST_RUN"
TEMPLATE = "template_migrated"
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")


@contextmanager
def test_run() -> Iterator[None]:
    """Hold what the keepers wait for; workers find the folder in the environment."""
    folder = Path(tempfile.mkdtemp(prefix="puertorico-tests-"))
    os.environ[RUN] = str(folder)
    with (folder / "alive").open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        yield
        (folder / "alive").unlink()
        with suppress(OSError):  # a keeper is using it, and removes it
            folder.rmdir()


@cache
def servers(postgres_bin: Path | None) -> Servers:
    """The worker's own database and Redis, on this PostgreSQL or the one the stack would take."""
    kept = _kept(Path(os.environ[RUN]) / _label(postgres_bin), postgres_bin)
    with psycopg.connect(kept.database_url, autocommit=True) as connection:
        connection.execute(
            sql.SQL("create database {} template {} strategy wal_log").format(
                sql.Identifier(WORKER), sql.Identifier(TEMPLATE)
            )
        )
    return Servers(
        kept.database_url.rpartition("/")[0] + f"/{WORKER}",
        kept.redis_url.rpartition("/")[0] + f"/{int(WORKER.removeprefix('gw')) % 16}",
    )


def empty_database(url: str) -> None:
    """Take every row out, also where a trigger refuses it: a superuser may switch that off."""
    with psycopg.connect(url, options="-c lock_timeout=10s") as connection:
        named = connection.execute(
            "select tablename from pg_tables where schemaname = 'es' and tablename <> 'migrations'"
        )
        tables = [sql.Identifier("es", name) for (name,) in named]
        for table in tables:
            connection.execute(sql.SQL("alter table {} disable trigger user").format(table))
        connection.execute(sql.SQL("truncate {}").format(sql.SQL(", ").join(tables)))
        for name, trigger in _triggers(connection):
            connection.execute(
                sql.SQL("alter table {} enable always trigger {}").format(
                    sql.Identifier("es", name), sql.Identifier(trigger)
                )
            )


def empty_redis(url: str) -> None:
    with redis.Redis.from_url(url) as client:
        client.flushdb()


def _triggers(connection: psycopg.Connection) -> list[tuple[str, str]]:
    return connection.execute(
        "select relname, tgname from pg_trigger join pg_class on pg_class.oid = tgrelid"
        " where relnamespace = 'es'::regnamespace and not tgisinternal"
    ).fetchall()


def _label(postgres_bin: Path | None) -> str:
    return str(postgres_bin or "default").strip("/").replace("/", "-")


def _kept(folder: Path, postgres_bin: Path | None) -> Servers:
    """The addresses that the keeper of this folder wrote; the first who asks starts it."""
    ready = folder / "servers.json"
    with folder.with_suffix(".lock").open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        if not ready.exists():
            folder.mkdir(exist_ok=True)
            environment = os.environ | ({"PG_BIN": str(postgres_bin)} if postgres_bin else {})
            command = [sys.executable, "-m", "tests.servers", str(folder)]
            subprocess.run(command, env=environment, check=True)
    return Servers(**json.loads(ready.read_text()))


def main(folder: Path) -> int:
    """Start a keeper that outlives us; 0 when its servers are ready."""
    ready, tell = os.pipe()
    if os.fork() == 0:
        os.setsid()  # a Ctrl-C goes to pytest alone
        try:
            _keep(folder, tell)
        finally:
            _tidy_up(folder)
        os._exit(0)
    os.close(tell)
    return 0 if os.read(ready, 1) else 1


def _keep(folder: Path, tell: int) -> None:
    """Run the servers until pytest is gone."""
    with (
        DataDirectory(folder / "data") as data,
        embedded(data, durable=False) as stack,
        (folder.parent / "alive").open() as run,
    ):
        owner = stack.addresses.database_url
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute(f"create database {TEMPLATE}")
        migrate(owner.rpartition("/")[0] + f"/{TEMPLATE}")
        write_private(folder / "servers.json", json.dumps(asdict(stack.addresses)))
        os.write(tell, b"!")
        fcntl.flock(run, fcntl.LOCK_SH)


def _tidy_up(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.with_suffix(".lock").unlink(missing_ok=True)
    with suppress(OSError):  # pytest or another keeper still uses it, and removes it
        folder.parent.rmdir()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
