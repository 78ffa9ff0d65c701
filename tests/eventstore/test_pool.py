"""Connections: as the role, with time-outs, opened late, and back after the server was away."""

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from shared.eventstore.pool import Pool, Role
from tests.eventstore.conftest import opened

GREENLETS = """
from gevent import monkey; monkey.patch_all()
import sys, time, gevent
from shared.eventstore.pool import Pool, Role
pool = Pool(sys.argv[1], Role.QUERIES, max_size=4)
def wait():
    with pool.connection() as connection:
        connection.execute("select pg_sleep(0.5)")
before = time.monotonic()
gevent.joinall([gevent.spawn(wait) for _ in range(4)], raise_error=True)
print(time.monotonic() - before)
pool.close()
"""


@pytest.mark.parametrize("role", list(Role))
def test_a_connection_acts_as_the_role_with_time_outs(postgres_url: str, role: Role) -> None:
    with opened(postgres_url, role) as pool, pool.connection() as connection:
        row = connection.execute(
            "select current_user, current_setting('statement_timeout'),"
            " current_setting('lock_timeout'),"
            " current_setting('idle_in_transaction_session_timeout')"
        ).fetchone()
        assert row == (role.value, "5s", "2s", "10s")


def test_threads_that_are_first_at_once_share_one_pool(postgres_url: str) -> None:
    with opened(postgres_url, Role.QUERIES) as pool:
        assert pool.stats().get("connections_num", 0) == 0
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda _: one(pool), range(64)))
        assert 1 <= pool.stats()["connections_num"] <= 8


def test_a_server_that_cannot_be_reached_is_an_operational_error() -> None:
    with (
        opened("postgresql://127.0.0.1:1/nowhere", Role.QUERIES) as pool,
        pytest.raises(psycopg.OperationalError),
    ):
        one(pool)


def test_after_an_outage_the_next_request_is_tried_at_once() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))  # and does not listen: connections are refused
        dsn = f"postgresql://127.0.0.1:{server.getsockname()[1]}/nowhere"
        with opened(dsn, Role.QUERIES) as pool, ThreadPoolExecutor(1) as thread:
            for _ in range(2):
                with pytest.raises(psycopg.OperationalError):
                    one(pool)
            server.listen()
            server.settimeout(1.5)
            asked = thread.submit(one, pool)
            server.accept()[0].close()
            with pytest.raises(psycopg.OperationalError):
                asked.result()


def test_a_server_that_is_frozen_is_not_waited_for(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.eventstore.pool.PATIENCE_SECONDS", 0.5)
    with opened(postgres_url, Role.QUERIES) as pool:
        with pool.connection() as connection:
            backend = connection.info.backend_pid
        os.kill(backend, signal.SIGSTOP)
        try:
            with pytest.raises(psycopg.OperationalError):
                one(pool)
            one(pool)  # by another connection
        finally:
            os.kill(backend, signal.SIGCONT)


def test_connections_that_the_server_closed_are_replaced_unseen(postgres_url: str) -> None:
    with opened(postgres_url, Role.QUERIES) as pool:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda _: one(pool), range(32)))
        with psycopg.connect(postgres_url, autocommit=True) as superuser:
            superuser.execute(
                "select pg_terminate_backend(pid, 2000) from pg_stat_activity"
                " where application_name = 'puertorico_queries'"
            )
        assert [one(pool) for _ in range(8)] == [1] * 8


def test_greenlets_wait_for_the_server_side_by_side(postgres_url: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", GREENLETS, postgres_url],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout) < 1.5


def one(pool: Pool) -> int:
    with pool.connection() as connection:
        row = connection.execute("select 1").fetchone()
    assert row is not None
    return int(row[0])
