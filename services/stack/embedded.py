"""PostgreSQL and Valkey on free ports of this machine, with their data in one folder.

They start in well under a second (a new folder: about one), stop when asked, and stop by
themselves when the launcher is killed. What was committed survives all of that.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Protocol

from services.stack.data_directory import DataDirectory, Servers
from services.stack.errors import StackError
from services.stack.postgres import EmbeddedPostgres
from services.stack.process import Process, Program
from services.stack.unprivileged import Identity, ordinary_identity
from services.stack.valkey import EmbeddedValkey

START_SECONDS = 60
"""A crash recovery on a busy machine takes a while; a server that ended is noticed at once."""


class Server(Protocol):
    """What the launcher must know of a server."""

    def prepare(self) -> None: ...
    def program(self) -> Program: ...
    def is_ready(self) -> bool: ...


@dataclass(frozen=True)
class Embedded:
    """The running servers: their addresses, and the processes that we started for them."""

    addresses: Servers
    processes: tuple[Process, ...]


@contextmanager
def embedded(
    data: DataDirectory,
    *,
    database_url: str | None = None,
    redis_url: str | None = None,
    durable: bool = True,
    identity: Identity | None = None,
) -> Iterator[Embedded]:
    """Run the servers on this data until the block ends; one whose address is given is not ours."""
    postgres_port, valkey_port = free_ports(2)
    ours: list[Server] = []
    if not database_url:
        runs_as = identity or ordinary_identity()
        postgres = EmbeddedPostgres(data, postgres_port, runs_as, durable=durable)
        database_url = postgres.url()
        ours.append(postgres)
    if not redis_url:
        valkey = EmbeddedValkey(data, valkey_port)
        redis_url = valkey.url()
        ours.append(valkey)
    addresses = Servers(database_url, redis_url)
    with ExitStack() as running:
        processes = tuple(_start(server, running) for server in ours)
        for server, process in zip(ours, processes, strict=True):
            _await(server, process)
        data.announce(addresses)
        yield Embedded(addresses, processes)


def _start(server: Server, running: ExitStack) -> Process:
    server.prepare()
    process = Process(server.program())
    process.start()
    running.callback(process.stop)
    return process


def free_ports(count: int) -> list[int]:
    """Different ports that nobody has now; the servers take them a moment later."""
    with ExitStack() as probes:
        opened = [probes.enter_context(socket.socket()) for _ in range(count)]
        for probe in opened:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in opened]


def _await(server: Server, process: Process) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not server.is_ready():
        if process.exit_code() is not None or time.monotonic() > deadline:
            log = process.program.log
            last = log.read_text(errors="replace").strip().splitlines()[-1:] if log else []
            raise StackError(f"{process.name} did not come up; {log} ends with: {''.join(last)}")
        time.sleep(0.02)
