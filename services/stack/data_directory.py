"""The folder that keeps everything the embedded stack remembers, used by one launcher at a time.

lock           held by the launcher and its servers; says the launcher's process id
passwords.json made once
running.json   the servers' addresses, while they run
bots.json      the tokens of the bots that play here
postgres/  postgres.log  valkey/  valkey.log
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from services.stack.errors import StackError

STOPPING_SECONDS = 15


@dataclass(frozen=True)
class Servers:
    """The addresses of the two servers, with their passwords, and of the API once it answers."""

    database_url: str
    redis_url: str
    public_url: str | None = None

    def environment(self) -> dict[str, str]:
        """As the services are told of them."""
        servers = {"DATABASE_URL": self.database_url, "REDIS_URL": self.redis_url}
        return servers if self.public_url is None else servers | {"PUBLIC_URL": self.public_url}


@dataclass(frozen=True)
class Passwords:
    postgres: str
    valkey: str


class DataDirectory:
    """Opened means locked; the servers inherit the lock, so it is free when they too are gone."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._lock = -1

    def __enter__(self) -> Self:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StackError(
                f"The data directory {self.path} cannot be written: {error.strerror}."
            ) from error
        try:
            self._acquire()
        except StackError:
            os.close(self._lock)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._running.unlink(missing_ok=True)
        os.close(self._lock)

    @property
    def lock(self) -> int:
        return self._lock

    @property
    def _running(self) -> Path:
        return self.path / "running.json"

    def _acquire(self) -> None:
        """Take the lock; after a kill -9 of the last launcher its servers need a moment to stop."""
        deadline = time.monotonic() + STOPPING_SECONDS
        while not _try_lock(self._lock):
            launcher = os.pread(self._lock, 20, 0).decode().strip()
            if (launcher and _is_alive(int(launcher))) or time.monotonic() > deadline:
                raise StackError(
                    f"The data directory {self.path} is in use by a stack that runs already"
                    f" (process {launcher or 'unknown'})."
                )
            time.sleep(0.05)
        os.truncate(self._lock, 0)
        os.pwrite(self._lock, str(os.getpid()).encode(), 0)

    def passwords(self) -> Passwords:
        """Those of this directory, made when it is new."""
        file = self.path / "passwords.json"
        if not file.exists():
            made = Passwords(secrets.token_hex(24), secrets.token_hex(24))
            write_private(file, json.dumps(asdict(made)))
        return Passwords(**json.loads(file.read_text()))

    def announce(self, servers: Servers) -> None:
        """Let later commands find the running servers."""
        write_private(self._running, json.dumps(asdict(servers)))


def running_servers(path: Path) -> Servers:
    """The servers that a running stack announced; what a killed one left behind does not count."""
    nobody = StackError(f"No stack runs on the data directory {path}.")
    try:
        servers = Servers(**json.loads((path / "running.json").read_text()))
        lock = os.open(path / "lock", os.O_RDWR)
    except FileNotFoundError:
        raise nobody from None
    try:
        if _try_lock(lock):
            raise nobody
    finally:
        os.close(lock)
    return servers


def write_private(file: Path, text: str) -> None:
    """Whole or not at all, and readable by nobody else."""
    draft = file.with_name(f".{file.name}.new")
    draft.unlink(missing_ok=True)
    with open(draft, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(text)
    draft.replace(file)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
