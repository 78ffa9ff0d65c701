"""`puertorico up`: everything on this machine at one origin, until Ctrl-C."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import redis

from services.stack.data_directory import DataDirectory, Servers
from services.stack.embedded import Embedded, embedded
from services.stack.errors import StackError
from services.stack.migrate import migrate
from services.stack.process import Process, Program, stop_all
from services.stack.supervisor import Supervisor, stoppable

READY_SECONDS = 60
WEB_WORKERS = 2
WEB_THREADS = 8


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument(
        "--data", type=Path, default=Path("data"), help="the folder that everything is kept in"
    )
    parser.add_argument(
        "--bots",
        type=_count,
        default=1,
        metavar="N",
        help="bots of each strategy that take seats in games (default 1, none by 0)",
    )


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("it is a number, 0 or more")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Start all, keep it running, stop it in order."""
    with (
        stoppable(),
        DataDirectory(arguments.data) as data,
        _listening(arguments.host, arguments.port) as listener,
    ):
        _say(f"Starting on the data in {data.path} ...")
        with embedded(
            data,
            database_url=os.environ.get("DATABASE_URL"),
            redis_url=os.environ.get("REDIS_URL"),
        ) as servers:
            _prepare(servers.addresses)
            _serve(data, servers, listener, arguments.bots)
    _say("Stopped.")
    return 0


def _serve(data: DataDirectory, servers: Embedded, listener: socket.socket, bots: int) -> None:
    """Run the services and say how to use them, until a signal ends it."""
    address = _address(listener)
    metrics = _metrics_folder(data.path)
    environment = _environment(servers.addresses, address, metrics)
    programs = _programs(data, environment, listener.fileno())
    if bots:
        arguments = ["--url", address, "--data", str(data.path), "--each", str(bots)]
        programs.append(
            _program("bots", ["services.automation.play", *arguments], data, environment)
        )
    processes = [Process(program) for program in programs]
    try:
        for process in processes:
            process.start()
        _await_ready(address, processes)
        data.announce(replace(servers.addresses, public_url=environment["PUBLIC_URL"]))
        _greet(address, data.path)
        Supervisor([*servers.processes, *processes], _say).run()
    finally:
        stop_all(processes)
        shutil.rmtree(metrics, ignore_errors=True)


def _programs(data: DataDirectory, environment: Mapping[str, str], listener: int) -> list[Program]:
    """One process each for the web, the projector and the sweeper that finds what it missed.

    Gunicorn takes over our open socket, so no restart loses the port or refuses a client.
    """
    web = ["gunicorn", "--config", "python:shared.serving", "--bind", f"fd://{listener}"]
    web += ["--worker-class", "shared.workers.gathering.Worker", "--threads", str(WEB_THREADS)]
    web += ["--preload", "--workers", str(WEB_WORKERS), "services.stack.app:create_app()"]
    modules = {
        "web": web,
        "projector": ["services.projector.worker"],
        "sweeper": ["services.projector.sweeper"],
    }
    return [
        _program(name, arguments, data, environment, *([listener] if name == "web" else []))
        for name, arguments in modules.items()
    ]


def _program(
    name: str,
    module: Sequence[str],
    data: DataDirectory,
    environment: Mapping[str, str],
    *keeps_open: int,
) -> Program:
    return Program(
        name=name,
        argv=[sys.executable, "-m", *module],
        env=environment,
        log=data.path / f"{name}.log",
        stop_signal=signal.SIGTERM,
        keeps_open=(data.lock, *keeps_open),
    )


def _metrics_folder(data: Path) -> Path:
    """In memory, where that can be: on a full disk who writes to a mapped file is killed."""
    memory = Path("/dev/shm")  # noqa: S108  # the name is this data's own, and is emptied first
    if not os.access(memory, os.W_OK):
        return data / "metrics"
    return memory / f"puertorico-{sha256(bytes(data)).hexdigest()[:16]}"


def _environment(servers: Servers, address: str, metrics: Path) -> dict[str, str]:
    """What the services are told; the metrics of the last run's processes are forgotten."""
    shutil.rmtree(metrics, ignore_errors=True)
    metrics.mkdir()
    return (
        os.environ
        | servers.environment()
        | {
            "PUBLIC_URL": os.environ.get("PUBLIC_URL") or address,
            "PROMETHEUS_MULTIPROC_DIR": str(metrics),
        }
    )


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        listener = socket.create_server((host, port), backlog=2048)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it must be 0 to 65535"
        raise StackError(
            f"Port {port} on {host} cannot be used ({reason}): choose another with --port."
        ) from error
    with listener:
        yield listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"  # noqa: S104


def _prepare(servers: Servers) -> None:
    """See that both servers answer, and bring the database to this version's schema."""
    migrate(servers.database_url)
    try:
        with redis.Redis.from_url(servers.redis_url) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise StackError(f"The Redis (REDIS_URL) cannot be used: {error}") from error


def _await_ready(address: str, processes: list[Process]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not _is_ready(address):
        for process in processes:
            if process.exit_code() is not None:
                raise StackError(f"{process.name} did not come up; see {process.program.log}.")
        if time.monotonic() > deadline:
            raise StackError(
                f"{address}/readyz does not say ready; see {processes[0].program.log}."
            )
        time.sleep(0.05)


def _is_ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _greet(address: str, data: Path) -> None:
    _say(
        f"""
Puerto Rico is running at {address}

  API docs      {address}/docs
  first game    in another terminal, to watch four players:
                {sys.argv[0]} demo --players 4 --url {address}
                or by hand with curl: README.md, "A first game"
  opponents     {address}/v1/bots: bots to be given seats in one's games
  data, logs    {data}

Ctrl-C stops everything; the data stays."""
    )


def _say(line: str) -> None:
    print(line, flush=True)
