"""What is measured, running: servers, services by the start commands of deploy/, bare endpoints."""

from __future__ import annotations

import os
import shlex
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.bare import TABLE
from bench.processor import used
from services.stack.data_directory import DataDirectory
from services.stack.embedded import embedded, free_ports
from services.stack.process import Process, Program
from shared.config import Settings
from shared.eventstore.migrate import migrate

PROCFILE = Path(__file__).parents[1] / "deploy" / "Procfile"
WORKERS = 2
READY_SECONDS = 30
UNLIMITED = "reads=10000000/60,writes=10000000/60"
PROJECTION = ("projector", "sweeper")


@dataclass
class Rig:
    """Addresses, and handles on the processes."""

    database_url: str
    redis_url: str
    addresses: dict[str, str]
    """Of `commands` and `queries`, and of `bare commands` and `bare queries`."""
    processes: dict[str, Process]
    """By name, the servers among them."""

    def used(self) -> dict[str, float]:
        """Seconds of processor time so far, by process."""
        return used({p.pid: name for name, p in self.processes.items() if p.pid is not None})

    @property
    def settings(self) -> Settings:
        return Settings(self.database_url, self.redis_url, self.redis_url)

    def start(self, *names: str) -> None:
        for name in names:
            self.processes[name].start()

    def stop(self, *names: str) -> None:
        for name in names:
            self.processes[name].stop()


@contextmanager
def rig(folder: Path) -> Iterator[Rig]:
    """Everything but the projection, which is started when there is something to project."""
    with DataDirectory(folder / "data") as data, embedded(data) as stack, ExitStack() as exits:
        servers = stack.addresses
        migrate(servers.database_url)
        with psycopg.connect(servers.database_url) as connection:
            connection.execute(TABLE)
        metrics = folder / "metrics"
        metrics.mkdir()
        environment = os.environ | servers.environment()
        environment |= {
            "RATE_LIMITS": UNLIMITED,
            "PROMETHEUS_MULTIPROC_DIR": str(metrics),
            "WEB_CONCURRENCY": str(WORKERS),
        }
        commands = _start_commands()
        names = ("commands", "queries", "bare commands", "bare queries")
        ports = dict(zip(names, free_ports(len(names)), strict=True))
        lines = {name: _web(commands[name.split()[-1]], name, ports[name]) for name in names}
        lines |= {name: commands[name] for name in PROJECTION}
        processes = {
            name: Process(Program(name, _argv(line), environment, folder / f"{name}.log"))
            for name, line in lines.items()
        }
        for process in processes.values():
            exits.callback(process.stop)
        addresses = {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
        own = {process.name: process for process in stack.processes}
        made = Rig(servers.database_url, servers.redis_url, addresses, processes | own)
        made.start(*names)
        for address in addresses.values():
            _await(address)
        yield made


def _start_commands() -> dict[str, str]:
    lines = (line.partition(": ") for line in PROCFILE.read_text().splitlines())
    return {name: command for name, _, command in lines}


def _web(command: str, name: str, port: int) -> str:
    """The same worker kind for the bare endpoint as for the service it is compared with."""
    service = name.rsplit(maxsplit=1)[-1]
    command = command.replace(f'"${service.upper()}_BIND"', f"127.0.0.1:{port}")
    if name.startswith("bare"):
        command = command.replace(f"services.{service}.app", "bench.bare")
    return command


def _argv(line: str) -> list[str]:
    _, *arguments = shlex.split(line)
    program = ["-m", "gunicorn"] if line.startswith("gunicorn") else []
    return [sys.executable, *program, *arguments]


def _await(address: str) -> None:
    """Until it answers anything at all."""
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=2)  # noqa: S310
        except urllib.error.HTTPError:
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return
