"""The embedded PostgreSQL: its data directory made, its server described and awaited."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys

import psycopg

from services.stack.binaries import postgres_bin, postgres_major
from services.stack.data_directory import DataDirectory, write_private
from services.stack.errors import StackError
from services.stack.process import Program
from services.stack.unprivileged import Identity

NAME = "puertorico"
"""Both the owner's login and the database."""

QUICK = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
"""For tests only: a crash of the machine may lose data, a crash of the server does not."""


class EmbeddedPostgres:
    """A server for 127.0.0.1 alone; whoever connects must know the password."""

    def __init__(
        self, data: DataDirectory, port: int, identity: Identity, *, durable: bool
    ) -> None:
        self._data = data
        self._port = port
        self._durable = durable
        self._identity = identity
        self._bin = self._identity.reachable(postgres_bin(), data.path / "postgres-programs")
        self._cluster = data.path / "postgres"
        self._password = data.passwords().postgres

    def url(self, database: str = NAME) -> str:
        return f"postgresql://{NAME}:{self._password}@127.0.0.1:{self._port}/{database}"

    def program(self) -> Program:
        """The server; SIGINT is its fast shutdown, which rolls open transactions back."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self._port),
            "unix_socket_directories": "",
            "max_connections": "200",
            "log_checkpoints": "off",
        } | ({} if self._durable else QUICK)
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        return Program(
            name="PostgreSQL",
            argv=[self._bin / "postgres", "-D", self._cluster, *options],
            log=self._data.path / "postgres.log",
            stop_signal=signal.SIGINT,
            identity=self._identity,
            keeps_open=(self._data.lock,),
        )

    def prepare(self) -> None:
        """Make the data directory, or see that this PostgreSQL can use the one that is there."""
        if not self._cluster.exists():
            self._make()
        major = postgres_major(self._bin)
        found = (self._cluster / "PG_VERSION").read_text().strip()
        if found != str(major):
            raise StackError(
                f"{self._cluster} was made by PostgreSQL {found}, but the one at hand is {major}:"
                " point PG_BIN to the older one, or choose another --data."
            )

    def is_ready(self) -> bool:
        """Whether it answers; the first time, the database is made."""
        try:
            with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
                found = connection.execute(
                    "select 1 from pg_database where datname = %s", [NAME]
                ).fetchone()
                if not found:
                    connection.execute(f"create database {NAME}")
        except psycopg.OperationalError:
            return False
        return True

    def _make(self) -> None:
        """Run initdb in a folder beside: what was killed half-way must not be taken for whole."""
        draft = self._data.path / "postgres.new"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        self._identity.own(draft)
        password = self._data.path / "postgres.password"
        write_private(password, self._password)
        self._identity.own(password)
        done = subprocess.run(
            [
                *(self._bin / "initdb", "-D", draft, "--username", NAME, "--pwfile", password),
                *("--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"),
                f"--locale={'C' if sys.platform == 'darwin' else 'C.UTF-8'}",
                *([] if self._durable else ["--no-sync"]),
            ],
            preexec_fn=self._identity.enter,
            capture_output=True,
            text=True,
            check=False,
        )
        password.unlink()
        if done.returncode != 0:
            raise StackError(f"initdb failed: {done.stderr.strip() or done.stdout.strip()}")
        draft.rename(self._cluster)
