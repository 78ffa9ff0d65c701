"""Several workers listen at one socket, and clients keep their connections."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from services.stack.data_directory import Servers
from tests.stack.processes import descendants
from tests.workers.conftest import ARGUMENTS, Served, serve

CLIENTS = 20
ESTABLISHED = "01"


def held(service: Served) -> list[int]:
    """How many connections each of its workers has taken."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    own = [row for row in rows if row[1].endswith(f":{service.port:04X}")]
    sockets = {f"socket:[{row[9]}]" for row in own if row[3] == ESTABLISHED}
    return [
        sum(link in sockets for link in open_files(worker)) for worker in descendants(service.pid)
    ]


def open_files(pid: int) -> list[str]:
    found: list[str] = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found.append(str(link.readlink()))
    return found


def connect_one_by_one(service: Served, clients: ExitStack, count: int) -> None:
    for _ in range(count):
        clients.enter_context(service.connect())
        time.sleep(0.005)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_kept_connections_spread_over_the_workers(
    name: str, worker_servers: Servers, tmp_path: Path
) -> None:
    with serve(name, worker_servers, tmp_path, workers=2) as service, ExitStack() as clients:
        while 0 in held(service) or len(held(service)) < 2:  # one of them is still starting
            connect_one_by_one(service, clients, 1)
        clients.close()
        while any(held(service)):
            time.sleep(0.01)
        connect_one_by_one(service, clients, CLIENTS)
        assert min(held(service)) >= CLIENTS // 3
