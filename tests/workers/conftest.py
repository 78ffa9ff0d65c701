"""Both services as gunicorn really runs them, and a client that sends whatever bytes it likes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from socket import SocketIO
from typing import Any

import httpx
import pytest
from msgspec import json

from services.stack.data_directory import Servers
from services.stack.embedded import free_ports

ARGUMENTS = {
    "commands": ["--worker-class", "shared.workers.gathering.Worker", "--threads", "4"],
    "queries": ["--worker-class", "shared.workers.switching.Worker"],
}


@dataclass(frozen=True)
class Served:
    """A service that listens."""

    name: str
    port: int
    log: Path
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def ask(self, raw: bytes) -> Answer:
        """Send these bytes and read one answer."""
        with self.connect() as client:
            with suppress(ConnectionError):  # refused before it was all sent
                client.sendall(raw)
            return read_answer(client)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def problem(self) -> dict[str, Any]:
        """The document of a refusal, which tells nothing of what is inside the server."""
        assert 400 <= self.status < 500, (self.status, self.body)
        assert self.headers["content-type"] == "application/problem+json", self.body
        for inside in (b"Traceback", b"gunicorn", b"site-packages", b".py", b"psycopg"):
            assert inside not in self.body
        document: dict[str, Any] = json.decode(self.body)
        assert document["status"] == self.status
        return document


def read_answer(client: socket.socket) -> Answer:
    with closing(HTTPResponse(_Unbuffered(client))) as found:  # type: ignore[arg-type]
        found.begin()
        headers = {name.lower(): value for name, value in found.getheaders()}
        return Answer(found.status, headers, found.read())


@dataclass
class _Unbuffered:
    """A socket whose reader leaves the next answer where it is."""

    client: socket.socket

    def makefile(self, _mode: str) -> SocketIO:
        return self.client.makefile("rb", buffering=0)


@contextmanager
def serve(
    name: str,
    servers: Servers,
    log: Path,
    *,
    rate_limits: str = "",
    connections: int = 1000,
    workers: int = 1,
) -> Iterator[Served]:
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "gunicorn", "--config", "python:shared.serving"]
    command += ["--bind", f"127.0.0.1:{port}", "--worker-connections", str(connections)]
    command += ["--workers", str(workers)]
    command += [*ARGUMENTS[name], f"services.{name}.app:create_app()"]
    environment = os.environ | servers.environment() | {"RATE_LIMITS": rate_limits}
    path = log / f"{name}.log"
    with (
        path.open("wb") as output,
        subprocess.Popen(command, env=environment, stderr=output) as process,
    ):
        served = Served(name, port, path, process.pid)
        try:
            _await_ready(served, process)
            yield served
        finally:
            process.terminate()


def _await_ready(served: Served, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while True:
        assert process.poll() is None, served.log.read_text()
        with suppress(httpx.TransportError):
            if httpx.get(f"{served.url}/readyz").status_code == 200:
                return
        assert time.monotonic() < deadline, served.log.read_text()
        time.sleep(0.05)


@pytest.fixture(scope="module", params=list(ARGUMENTS))
def service(
    request: pytest.FixtureRequest,
    worker_servers: Servers,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Served]:
    """Each of the two, as its own kind of worker runs it."""
    with serve(request.param, worker_servers, tmp_path_factory.mktemp("served")) as served:
        yield served
