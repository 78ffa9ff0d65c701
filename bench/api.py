"""What the API does on this machine: python -m bench.api [SECONDS] [CLIENTS].

Each client is a process that plays games of three alone, one request after another; then the same
number of clients store single rows through the barest endpoint there is. The ratio of the two is
what an audited, validated move costs; it holds on any machine, the rates do not.
"""

from __future__ import annotations

import json
import random
import secrets
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from services.stack.data_directory import running_servers
from services.stack.process import Process, Program
from services.stack.up import WEB_THREADS, WEB_WORKERS
from tests.stack.running import clean_environment, up

Seconds = list[float]


class Client:
    """One connection, kept; every request is timed by its kind."""

    def __init__(self, address: str) -> None:
        self._connection = HTTPConnection(address.removeprefix("http://"))
        self.took: dict[str, Seconds] = {}

    def __call__(
        self, kind: str, method: str, path: str, token: str = "", body: object = None
    ) -> Any:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        start = time.perf_counter()
        self._connection.request(method, path, json.dumps(body) if headers else None, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        self.took.setdefault(kind, []).append(time.perf_counter() - start)
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text)


def play(address: str, seconds: float) -> dict[str, Seconds]:
    """Play one game after another for so long."""
    client, rng, end = Client(address), random.Random(), time.monotonic() + seconds
    names = [f"b{secrets.token_hex(6)}" for _ in range(3)]
    issued = [
        client("other", "POST", "/v1/accounts", body={"name": name, "password": name})
        for name in names
    ]
    tokens = {one["account"]["id"]: one["token"] for one in issued}
    while time.monotonic() < end:
        _play_one(client, rng, list(tokens.values()), tokens, end)
    return client.took


def _play_one(
    client: Client, rng: random.Random, order: list[str], tokens: dict[str, str], end: float
) -> None:
    game = client("other", "POST", "/v1/games", order[0], {})
    path = f"/v1/games/{game['id']}"
    for token in order[1:]:
        client("other", "POST", f"{path}/players", token, {})
    state = client("other", "POST", f"{path}/start", order[0])["state"]
    while state["status"] == "running" and time.monotonic() < end:
        token = tokens[state["seats"][state["awaiting"][0]["seat"]]]
        client("state", "GET", path, token)
        newest = f"?min_version={state['version']}"
        legal = client("legal moves", "GET", f"{path}/legal-moves{newest}", token)
        moves = [*legal["moves"], *(open_move["example"] for open_move in legal["open_moves"])]
        state = client("move", "POST", f"{path}/moves", token, {"move": rng.choice(moves)})["state"]


def store(address: str, seconds: float) -> dict[str, Seconds]:
    """Store one row after another for so long."""
    client, end = Client(address), time.monotonic() + seconds
    while time.monotonic() < end:
        client("bare insert", "POST", "/", body={"row": secrets.token_hex(64)})
    return client.took


@contextmanager
def bare(data: Path) -> Iterator[str]:
    """The barest endpoint, served as `up` serves the API."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        serve = [sys.executable, "-m", "gunicorn", "--config", "python:shared.serving", "--preload"]
        serve += ["--bind", f"fd://{listener.fileno()}", "--worker-class", "gthread"]
        serve += ["--threads", str(WEB_THREADS), "--workers", str(WEB_WORKERS)]
        process = Process(
            Program(
                name="bare",
                argv=[*serve, "bench.bare:create_app()"],
                env=clean_environment() | running_servers(data).environment(),
                log=data / "bare.log",
                keeps_open=(listener.fileno(),),
            )
        )
        process.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.stop()


def measure(
    job: Callable[[str, float], dict[str, Seconds]], address: str, seconds: float, clients: int
) -> dict[str, float]:
    """Run it in all clients at once and print what each kind of request took; medians by kind."""
    with ProcessPoolExecutor(clients) as pool:
        results = list(pool.map(job, [address] * clients, [seconds] * clients))
    medians = {}
    for kind in results[0]:
        took = sorted(second for result in results for second in result.get(kind, []))
        medians[kind] = statistics.median(took)
        late = took[int(len(took) * 0.99)]
        print(
            f"{kind:12} {len(took) / seconds:7.0f}/s"
            f"   median {medians[kind] * 1000:6.1f} ms   99 % within {late * 1000:6.1f} ms"
        )
    return medians


def main(seconds: float, clients: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        with up(data) as stack:
            moves = measure(play, stack.address, seconds, clients)
            with bare(data) as address:
                rows = measure(store, address, seconds, clients)
    print(f"A move takes {moves['move'] / rows['bare insert']:.1f} times a bare insert.")


if __name__ == "__main__":
    given = sys.argv[1:] + ["10", "4"][len(sys.argv) - 1 :]
    main(float(given[0]), int(given[1]))
