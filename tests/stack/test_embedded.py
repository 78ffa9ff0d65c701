"""The embedded servers: what survives, what is refused, and that nothing is left running."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis

from services.stack.data_directory import DataDirectory, Servers, running_servers
from services.stack.embedded import embedded
from services.stack.errors import StackError
from services.stack.unprivileged import Identity, Ourselves, other_user
from tests.conftest import POSTGRES_15
from tests.stack.processes import descendants, is_gone


@contextmanager
def running(path: Path, identity: Identity | None = None) -> Iterator[Servers]:
    with DataDirectory(path) as data, embedded(data, durable=False, identity=identity) as stack:
        yield stack.addresses


@contextmanager
def launcher(path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A launcher in a process of its own, and the processes it started."""
    command = [sys.executable, "-m", "tests.stack.launcher", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


def write_down(servers: Servers, word: str) -> None:
    with psycopg.connect(servers.database_url) as connection:
        connection.execute("create table if not exists words (word text)")
        connection.execute("insert into words values (%s)", [word])


def words(servers: Servers) -> list[str]:
    with psycopg.connect(servers.database_url) as connection:
        return [word for (word,) in connection.execute("select word from words")]


def test_what_was_written_survives_a_stop_and_a_start(tmp_path: Path) -> None:
    with running(tmp_path / "data") as servers:
        write_down(servers, "first")
        with redis.Redis.from_url(servers.redis_url) as client:
            client.set("key", "kept")
    with running(tmp_path / "data") as servers:
        assert words(servers) == ["first"]
        with redis.Redis.from_url(servers.redis_url) as client:
            assert client.get("key") == b"kept"


def test_a_killed_launcher_leaves_nothing_running_and_loses_nothing(tmp_path: Path) -> None:
    with launcher(tmp_path / "data") as (process, servers):
        write_down(running_servers(tmp_path / "data"), "committed")
        pids = descendants(process.pid)
        assert set(servers) < set(pids)
        process.kill()
        process.wait()
    deadline = time.monotonic() + 10
    while not all(map(is_gone, pids)):
        assert time.monotonic() < deadline, "servers outlived their launcher"
        time.sleep(0.02)
    with running(tmp_path / "data") as addresses:
        assert words(addresses) == ["committed"]


def test_a_start_right_after_a_kill_waits_for_the_old_servers(tmp_path: Path) -> None:
    with launcher(tmp_path / "data") as (process, _):
        process.kill()
        process.wait()
        with running(tmp_path / "data") as servers:
            write_down(servers, "again")


def test_a_second_launcher_on_the_same_data_is_refused(tmp_path: Path) -> None:
    with (
        running(tmp_path / "data"),
        pytest.raises(StackError, match=f"in use by a stack that runs already.*{os.getpid()}"),
        DataDirectory(tmp_path / "data"),
    ):
        pass


def test_running_servers_are_found_and_stopped_ones_are_not(tmp_path: Path) -> None:
    with running(tmp_path / "data") as servers:
        assert running_servers(tmp_path / "data") == servers
    with pytest.raises(StackError, match="No stack runs"):
        running_servers(tmp_path / "data")


def test_what_a_killed_launcher_announced_is_not_believed(tmp_path: Path) -> None:
    with running(tmp_path / "data"):
        left_behind = (tmp_path / "data" / "running.json").read_text()
    (tmp_path / "data" / "running.json").write_text(left_behind)
    with pytest.raises(StackError, match="No stack runs"):
        running_servers(tmp_path / "data")


def test_data_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(StackError, match="/dev/null/data cannot be written"):
        DataDirectory(Path("/dev/null/data")).__enter__()


def test_data_of_another_postgres_version_is_refused(tmp_path: Path) -> None:
    with running(tmp_path / "data"):
        pass
    (tmp_path / "data" / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(StackError, match="was made by PostgreSQL 9"), running(tmp_path / "data"):
        pass


def test_a_server_that_does_not_come_up_says_why(tmp_path: Path) -> None:
    with running(tmp_path / "data"):
        pass
    (tmp_path / "data" / "postgres" / "global" / "pg_control").unlink()
    with (
        pytest.raises(StackError, match=r"PostgreSQL did not come up; .*postgres.log ends with"),
        running(tmp_path / "data"),
    ):
        pass


def test_nobody_gets_in_without_the_password(tmp_path: Path) -> None:
    with running(tmp_path / "data") as servers:
        wrong = servers.database_url.replace(servers.database_url.split(":")[2].split("@")[0], "no")
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(wrong)
        port = servers.redis_url.rpartition(":")[2]
        with (
            redis.Redis.from_url(f"redis://127.0.0.1:{port}") as client,
            pytest.raises(redis.AuthenticationError),
        ):
            client.ping()


def test_secrets_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    with running(tmp_path / "data"):
        for name in ("passwords.json", "running.json", "valkey/valkey.conf"):
            assert (tmp_path / "data" / name).stat().st_mode & 0o077 == 0, name


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Where everybody may enter; pytest's own folders are closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@only_root
def test_where_namespaces_are_forbidden_root_becomes_another_user(open_folder: Path) -> None:
    user, path = other_user(("nobody",)), open_folder / "data"
    with running(path, user) as servers:
        write_down(servers, "by nobody")
        assert (path / "postgres" / "PG_VERSION").stat().st_uid == user.uid
    with running(path, user) as servers:
        assert words(servers) == ["by nobody"]


@only_root
def test_programs_that_the_other_user_cannot_reach_are_copied(open_folder: Path) -> None:
    programs, copy = open_folder / "closed" / "pginstall" / "bin", open_folder / "copy"
    programs.mkdir(parents=True)
    (programs / "postgres").write_text("#!/bin/sh\n")
    (programs / "postgres").chmod(0o755)
    user = other_user()
    assert user.reachable(programs, copy) == programs
    (open_folder / "closed").chmod(0o700)
    assert user.reachable(programs, copy) == copy / "bin"
    assert user.reachable(copy / "bin", copy) == copy / "bin"


@only_root
def test_a_folder_the_other_user_cannot_reach_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(StackError, match="cannot reach"), running(tmp_path / "data", other_user()):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user may run PostgreSQL")
def test_as_root_without_another_identity_postgres_refuses(tmp_path: Path) -> None:
    with pytest.raises(StackError, match="initdb failed"), running(tmp_path / "data", Ourselves()):
        pass


@pytest.mark.skipif(not POSTGRES_15.exists(), reason="Debian's postgresql-15 is not installed")
def test_pg_bin_chooses_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PG_BIN", str(POSTGRES_15))
    with running(tmp_path / "data") as servers, psycopg.connect(servers.database_url) as connection:
        assert connection.info.server_version // 10000 == 15


def test_a_pg_bin_without_a_server_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PG_BIN", str(tmp_path))
    with pytest.raises(StackError, match="PG_BIN is"), running(tmp_path / "data"):
        pass
