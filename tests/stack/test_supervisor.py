"""Processes that die start again; those that must stop do stop."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from services.stack.process import Process, Program
from services.stack.supervisor import Stopped, Supervisor, stoppable


def python(code: str, **program: float) -> Process:
    return Process(Program("snake", [sys.executable, "-c", code], **program))  # type: ignore[arg-type]


def supervise(process: Process, deaths: int, steady: float) -> list[str]:
    """What is said until this many deaths."""
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if len(said) == deaths:
            raise Stopped

    process.start()
    with pytest.raises(Stopped):
        Supervisor([process], say, first_pause=0.01, steady=steady).run()
    return said


def test_what_dies_starts_again_after_a_pause_that_doubles(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    process = python(f"open({str(runs)!r}, 'a').write('x'); raise SystemExit(3)")
    said = supervise(process, deaths=3, steady=60)
    assert runs.read_text() == "xxx"
    assert said == [
        f"snake ended with code 3 (its log: None); it starts again in {pause} s"
        for pause in (0.01, 0.02, 0.04)
    ]


def test_who_ran_long_is_forgiven_earlier_deaths() -> None:
    said = supervise(python("raise SystemExit(3)"), deaths=3, steady=0)
    assert all("in 0.01 s" in line for line in said)


def test_who_does_not_listen_is_killed(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    process = python(
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f"open({str(ready)!r}, 'w'); time.sleep(60)",
        stop_seconds=0.2,
    )
    process.start()
    while not ready.exists():
        time.sleep(0.01)
    process.stop()
    assert process.exit_code() == -signal.SIGKILL


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_block_and_a_second_one_does_not_disturb(number: signal.Signals) -> None:
    steps = []
    before = signal.getsignal(number)
    with stoppable():
        try:
            os.kill(os.getpid(), number)
            steps.append("not reached")
        finally:
            os.kill(os.getpid(), number)
            steps.append("tidied up")
    assert steps == ["tidied up"]
    assert signal.getsignal(number) == before
