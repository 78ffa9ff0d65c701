"""Connections to the event store, each acting as one of the roles the migrations made.

Whatever login DATABASE_URL names, a connection becomes the service's role at once, so the rights of
that role are what the service has.
"""

import os
import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from threading import Lock, Thread

import psycopg
from psycopg_pool import ConnectionPool


class Role(StrEnum):
    """The group roles, one per service that touches Postgres."""

    COMMANDS = "puertorico_commands"
    PROJECTOR = "puertorico_projector"
    QUERIES = "puertorico_queries"


SETTINGS = {
    "search_path": "es",
    "default_transaction_isolation": r"read\ committed",
    "timezone": "UTC",
    "statement_timeout": "5s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
}

RECONNECT_SECONDS = 1.0
"""Then the next request tries anew. Left to itself the pool would wait twice as long each time, and
after an outage go on refusing for as long as that had lasted."""

PATIENCE_SECONDS = 10.0
"""Long after the time-outs above, which no server keeps that is frozen or out of reach."""


def connect_options(role: Role) -> str:
    """The libpq `options` that make a login act as `role`, with the time-outs every service has."""
    settings = {"role": role.value, **SETTINGS}
    return " ".join(f"-c {name}={value}" for name, value in settings.items())


class Pool:
    """Connections that commit each statement, shared by the threads or greenlets of one process.

    It opens with the first connection asked for, never when it is made: connections and threads do
    not survive a fork, and servers make their app before they fork. Nothing to be had within two
    seconds is psycopg.OperationalError, as is every failure a caller may try again later, and a
    server that does not answer: libpq would wait for it without end.
    """

    def __init__(self, dsn: str, role: Role, max_size: int = 8) -> None:
        self._pool = ConnectionPool(
            dsn,
            kwargs={
                "autocommit": True,
                "options": connect_options(role),
                "application_name": role.value,
                "connect_timeout": 5,
            },
            min_size=1,
            max_size=max_size,
            timeout=2,
            reconnect_timeout=RECONNECT_SECONDS,
            open=False,
            name=role.value,
        )
        self._in_use_since: dict[psycopg.Connection, float] = {}
        self._watcher: Thread | None = None
        self._lock = Lock()

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        if self._watcher is None:
            self._open()
        connection = self._live_connection()
        self._in_use_since[connection] = time.monotonic()
        try:
            with connection:
                yield connection
        finally:
            with self._lock:
                del self._in_use_since[connection]
            self._pool.putconn(connection)

    def stats(self) -> dict[str, int]:
        """psycopg_pool's counters, for the metrics."""
        return self._pool.get_stats()

    def close(self) -> None:
        self._pool.close()

    def _open(self) -> None:
        with self._lock:
            if self._watcher is None:
                self._pool.open()
                self._watcher = Thread(target=self._watch, name="impatience", daemon=True)
                self._watcher.start()

    def _watch(self) -> None:
        while not self._pool.closed:
            time.sleep(PATIENCE_SECONDS / 10)
            with self._lock:  # so that none is given back, and to another, meanwhile
                for connection, since in self._in_use_since.copy().items():
                    if time.monotonic() - since > PATIENCE_SECONDS:
                        _hang_up(connection)

    def _live_connection(self) -> psycopg.Connection:
        """Passes over what a restarted server left behind; the pool makes others in their place.

        psycopg_pool's own check costs a round trip for each use and waits a second after each dead
        connection, so a restart would make the first requests fail.
        """
        while _has_news(connection := self._pool.getconn()):
            connection.close()
            self._pool.putconn(connection)
        return connection


def _has_news(connection: psycopg.Connection) -> bool:
    """An idle connection has nothing to read, unless the server has ended it."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _hang_up(connection: psycopg.Connection) -> None:
    """Let whoever waits for an answer find the connection closed."""
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
