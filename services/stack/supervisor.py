"""Keeps processes running: what dies is started again, and all are stopped in order at the end."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn

from services.stack.process import Process

LONGEST_PAUSE = 30.0


class Stopped(Exception):  # not an error: somebody asked for it
    """Ctrl-C, SIGTERM, or the terminal was closed."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Within it a signal to stop ends the block, quietly; a second one does not hurry it."""
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        for each in signals:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped

    before = {each: signal.signal(each, stop) for each in signals}
    try:
        yield
    except Stopped:
        pass
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@dataclass
class _Watched:
    process: Process
    pause: float
    started_at: float = field(default_factory=time.monotonic)
    restart_at: float | None = None


class Supervisor:
    """Watches processes that were started already, from the launcher's main thread.

    The pause before a restart doubles; who ran for `steady` seconds is forgiven all earlier deaths.
    """

    def __init__(
        self,
        processes: Sequence[Process],
        say: Callable[[str], None],
        *,
        first_pause: float = 0.5,
        steady: float = 60,
    ) -> None:
        self._watched = [_Watched(process, first_pause) for process in processes]
        self._say = say
        self._first_pause = first_pause
        self._steady = steady

    def run(self) -> NoReturn:
        """Until a signal ends it."""
        while True:
            for watched in self._watched:
                self._look_at(watched)
            time.sleep(0.1)

    def _look_at(self, watched: _Watched) -> None:
        now = time.monotonic()
        if watched.restart_at is None:
            self._plan_restart(watched, now)
        elif now >= watched.restart_at:
            watched.process.start()
            watched.started_at, watched.restart_at = now, None

    def _plan_restart(self, watched: _Watched, now: float) -> None:
        code = watched.process.exit_code()
        if code is None:
            return
        if now - watched.started_at > self._steady:
            watched.pause = self._first_pause
        program = watched.process.program
        self._say(
            f"{program.name} ended with code {code} (its log: {program.log});"
            f" it starts again in {watched.pause:g} s"
        )
        watched.restart_at = now + watched.pause
        watched.pause = min(watched.pause * 2, LONGEST_PAUSE)
