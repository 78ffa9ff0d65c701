"""What the commands share that need the servers of a running stack."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict
from redis import Redis

from services.stack.data_directory import running_servers
from services.stack.errors import StackError

_READERS: Mapping[str, Callable[[str], object]] = {
    "DATABASE_URL": conninfo_to_dict,
    "REDIS_URL": Redis.from_url,
    "QUEUE_URL": Redis.from_url,
}
"""What understands each address, without connecting."""


class NoServers(StackError):
    """Neither does a stack run here, nor are servers of one's own named."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("data"),
        help="the data of the running stack; not needed with DATABASE_URL and REDIS_URL",
    )


def environment(data: Path) -> dict[str, str]:
    """Ours, with the addresses of the servers that run on this data unless it has others."""
    ours = dict(os.environ)
    if missing := [name for name in ("DATABASE_URL", "REDIS_URL") if not ours.get(name)]:
        try:
            ours |= running_servers(data).environment()
        except StackError as error:
            raise NoServers(f"{error} Nor is {' or '.join(missing)} set.") from None
    for name, read in _READERS.items():
        _check(name, ours.get(name), read)
    return ours


def _check(name: str, address: str | None, read: Callable[[str], object]) -> None:
    """What is no address at all is told here, once for whoever would use it."""
    try:
        if address:
            read(address)
    except (ValueError, psycopg.Error) as error:
        raise StackError(f"{name} cannot be used: {' '.join(str(error).split())}") from error


def run_projector(module: str, data: Path, *arguments: str) -> int:
    """Run this module of the projector in a process of its own: the stack may not import it."""
    command = [sys.executable, "-m", f"services.projector.{module}", *arguments]
    return subprocess.run(command, env=environment(data), check=False).returncode
