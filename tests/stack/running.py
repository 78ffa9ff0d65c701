"""The `puertorico` command and a stack that it runs, for tests that look from outside."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from services.stack.embedded import free_ports
from tests.stack.processes import command, descendants

PUERTORICO = Path(sys.executable).with_name("puertorico")


@dataclass
class Stack:
    """A running `up` and what it has said so far."""

    process: subprocess.Popen[str]
    address: str
    said: str

    def processes(self) -> list[int]:
        return descendants(self.process.pid)

    def process_of(self, program: str) -> int:
        """The first process of this program, which started the others."""
        return next(pid for pid in self.processes() if program in command(pid))

    def wait_for_line(self, pattern: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if re.search(pattern, line):
                return line
        raise AssertionError(f"it ended without saying {pattern}")


@contextmanager
def up(data: Path, env: dict[str, str] | None = None, *arguments: str) -> Iterator[Stack]:
    port = free_ports(1)[0]
    with subprocess.Popen(
        [PUERTORICO, "up", "--port", str(port), "--data", data, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=clean_environment() | (env or {}),
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            while "Ctrl-C stops everything" not in said:
                line = process.stdout.readline()
                assert line, f"it ended, saying: {said}"
                said += line
            yield Stack(process, f"http://127.0.0.1:{port}", said)
        finally:
            process.kill()


def puertorico(
    *arguments: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(PUERTORICO), *arguments],
        capture_output=True,
        text=True,
        env=clean_environment() | (env or {}),
        check=False,
        timeout=60,
    )


def clean_environment() -> dict[str, str]:
    given = ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL")
    return {name: value for name, value in os.environ.items() if name not in given}
