"""The test's end of the machine room: addresses, and a handle on each process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

import httpx
import msgspec

from tests.faults.room import Plan, Up
from tests.stack.processes import descendants

READY_SECONDS = 60


class Rig:
    """Safe for threads: the room does one thing after another."""

    def __init__(self, plan: Plan) -> None:
        self.logs = Path(plan.logs)
        self._lock = Lock()
        self._room = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.room", msgspec.json.encode(plan)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C goes to pytest alone
        )
        self.up = msgspec.json.decode(self._heard(), type=Up)
        self._pids: dict[str, int] = {}

    def kill(self, name: str) -> None:
        """Kill -9, with its workers if it has any."""
        self._tell("kill", name)

    def stop(self, name: str) -> None:
        self._tell("stop", name)

    def start(self, name: str) -> None:
        """Start it unless it runs."""
        self._tell("start", name)

    def kill_one_worker(self, name: str) -> None:
        """Kill -9 one of the processes that a master keeps."""
        self._signal(descendants(self._pid(name))[-1:], signal.SIGKILL)

    @contextmanager
    def frozen(self, name: str) -> Iterator[None]:
        """A process that is late: it stands still, and goes on with what it had in hand."""
        pids = [self._pid(name), *descendants(self._pid(name))]
        try:
            self._signal(pids, signal.SIGSTOP)
            yield
        finally:
            self._signal(pids, signal.SIGCONT)

    def close(self) -> None:
        """Everything ends with the room's input."""
        assert self._room.stdin is not None and self._room.stdout is not None
        self._room.stdin.close()
        self._room.stdout.close()
        assert self._room.wait(60) == 0

    def await_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        for url in (self.up.commands_url, self.up.queries_url):
            while not _is_ready(url):
                assert time.monotonic() < deadline, f"nothing answers; see {self.logs}"
                time.sleep(0.1)

    def _tell(self, verb: str, name: str) -> None:
        with self._lock:
            assert self._room.stdin is not None
            self._room.stdin.write(f"{verb} {name}\n".encode())
            self._room.stdin.flush()
            self._pids = msgspec.json.decode(self._heard(), type=dict[str, int])

    def _heard(self) -> bytes:
        assert self._room.stdout is not None
        line = self._room.stdout.readline()
        assert line, "the machine room is gone; see above why"
        return line

    def _pid(self, name: str) -> int:
        self._tell("start", name)
        return self._pids[name]

    def _signal(self, pids: list[int], number: signal.Signals) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):  # some children come and go
                os.kill(pid, number)


@contextmanager
def rig(plan: Plan) -> Iterator[Rig]:
    """All up and ready."""
    made = Rig(plan)
    try:
        made.await_ready()
        yield made
    finally:
        made.close()


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=5).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False
