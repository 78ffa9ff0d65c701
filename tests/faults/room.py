"""The machine room: servers and services as processes of their own, on free ports.

`python -m tests.faults.room PLAN` prints one JSON line when all is up, then does what it reads,
line by line: `kill NAME`, `stop NAME`, `start NAME`. It has no threads, since children must be
forked from a process without any. All ends with it: when its input ends, or when it is killed.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import msgspec
import psycopg
import redis

from services.stack.data_directory import DataDirectory, Servers
from services.stack.embedded import Embedded, embedded
from services.stack.process import Process, Program, stop_all
from shared.eventstore.migrate import migrate

POSTGRES, VALKEY = "PostgreSQL", "Valkey"
START_SECONDS = 30
QUOTAS = "register=100000/60,reads=1000000/60,writes=1000000/60,token_guesses=1000000/60"

PROJECTION = {
    "projector-1": "services.projector.worker",
    "projector-2": "services.projector.worker",
    "sweeper": "services.projector.sweeper",
}


class Plan(msgspec.Struct, frozen=True):
    """What runs beside the servers: the command service's factory, and modules by their names."""

    data: str
    logs: str
    metrics: str
    commands: str = "services.commands.app:create_app()"
    modules: dict[str, str] = msgspec.field(default_factory=lambda: dict(PROJECTION))

    @classmethod
    def beneath(cls, folder: Path, **choices: Any) -> Self:
        """In this folder, unless chosen otherwise."""
        places = {name: str(folder / name) for name in ("data", "logs", "metrics")}
        plan = cls(**{**places, **choices})
        for made in (plan.logs, plan.metrics):
            Path(made).mkdir()
        return plan


class Up(msgspec.Struct, frozen=True):
    """Where everything is."""

    database_url: str
    redis_url: str
    commands_url: str
    queries_url: str


class Room:
    def __init__(self, plan: Plan, stack: Embedded, listeners: dict[str, socket.socket]) -> None:
        self._servers = stack.addresses
        self._environment = _environment(stack.addresses, plan.metrics)
        services = {
            name: _gunicorn(listener.fileno(), _WEB[name], _app(plan, name))
            for name, listener in listeners.items()
        }
        services |= {name: ["-m", module] for name, module in plan.modules.items()}
        self.services = [
            Process(
                Program(
                    name,
                    [sys.executable, *arguments],
                    env=self._environment,
                    log=Path(plan.logs) / f"{name}.log",
                    stop_seconds=8,
                    keeps_open=tuple(listener.fileno() for listener in listeners.values()),
                )
            )
            for name, arguments in services.items()
        ]
        self._processes = {process.name: process for process in (*stack.processes, *self.services)}

    def kill(self, name: str) -> None:
        """SIGKILL to the process and all that belongs to its group: a master and its workers."""
        process = self._processes[name]
        if process.pid and process.exit_code() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.stop()

    def stop(self, name: str) -> None:
        self._processes[name].stop()

    def start(self, name: str) -> None:
        """Start it unless it runs; a server is awaited, and tried again.

        After a kill of PostgreSQL its last children may still hold the shared memory.
        """
        process, deadline = self._processes[name], time.monotonic() + START_SECONDS
        while process.exit_code() is not None or process.pid is None or not self._answers(name):
            if process.pid is None or process.exit_code() is not None:
                process.start()
            assert time.monotonic() < deadline, f"{name} does not come back"
            time.sleep(0.05)

    def pids(self) -> dict[str, int]:
        """Process ids by name, of those that run."""
        running = {name: p for name, p in self._processes.items() if p.exit_code() is None}
        return {name: process.pid for name, process in running.items() if process.pid}

    def _answers(self, name: str) -> bool:
        try:
            if name == POSTGRES:
                psycopg.connect(self._servers.database_url).close()
            elif name == VALKEY:
                with redis.Redis.from_url(self._servers.redis_url) as client:
                    client.ping()
        except (psycopg.OperationalError, redis.RedisError):
            return False
        return True


_WEB = {
    "commands": "--preload --workers 2 --worker-class shared.workers.gathering.Worker --threads 8",
    "queries": "--workers 1 --worker-class shared.workers.switching.Worker",
}


def _app(plan: Plan, name: str) -> str:
    return plan.commands if name == "commands" else "services.queries.app:create_app()"


def _gunicorn(listener: int, workers: str, app: str) -> list[str]:
    """On our open socket, as `puertorico up` has it: a restart refuses nobody."""
    arguments = f"-m gunicorn --config python:shared.serving --bind fd://{listener} {workers}"
    return [*arguments.split(), app]


def _environment(servers: Servers, metrics: str) -> dict[str, str]:
    own = {"RATE_LIMITS": QUOTAS, "PROMETHEUS_MULTIPROC_DIR": metrics}
    return os.environ | servers.environment() | own


def _address(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def main(plan: Plan) -> None:
    with ExitStack() as exits:
        data = exits.enter_context(DataDirectory(Path(plan.data)))
        stack = exits.enter_context(embedded(data))
        migrate(stack.addresses.database_url)
        listeners = {
            name: exits.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2048))
            for name in _WEB
        }
        room = Room(plan, stack, listeners)
        exits.callback(stop_all, room.services)
        for process in room.services:
            process.start()
        addresses = stack.addresses
        web = (_address(listeners["commands"]), _address(listeners["queries"]))
        _say(Up(addresses.database_url, addresses.redis_url, *web))
        for line in sys.stdin:
            verb, name = line.split()
            {"kill": room.kill, "stop": room.stop, "start": room.start}[verb](name)
            _say(room.pids())


def _say(what: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(what) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1], type=Plan))
