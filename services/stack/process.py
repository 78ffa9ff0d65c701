"""A child process that never outlives the one who started it."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from services.stack.unprivileged import Identity, Ourselves

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Program:
    """What to run, and how it is asked to stop."""

    name: str
    argv: Sequence[str | Path]
    env: Mapping[str, str] | None = None
    log: Path | None = None
    """Where its output goes, added at the end; else to our own output."""
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 15
    identity: Identity = field(default_factory=Ourselves)
    keeps_open: tuple[int, ...] = ()
    """Descriptors it inherits, such as the lock on its data."""


def stop_all(processes: Sequence[Process]) -> None:
    """Ask all at once, so that the slowest sets the time."""
    for process in processes:
        process.request_stop()
    for process in processes:
        process.stop()


class Process:
    """One run after another of a program.

    It must be started from the launcher's main thread: the kernel sends the death signal when the
    thread that forked ends, not when the process does.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    def start(self) -> None:
        output = self.program.log.open("ab") if self.program.log else None
        try:
            self._child = subprocess.Popen(
                self.program.argv,
                env=self.program.env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output else None,
                preexec_fn=_bound_to_us(self.program),  # noqa: PLW1509  # no threads yet
                pass_fds=self.program.keeps_open,
                # A Ctrl-C of the terminal goes to the launcher alone, which stops all in order.
                start_new_session=True,
            )
        finally:
            if output:
                output.close()

    def exit_code(self) -> int | None:
        """How it ended; None while it runs or was never started."""
        return self._child.poll() if self._child else None

    def request_stop(self) -> None:
        if self._child and self._child.poll() is None:
            self._child.send_signal(self.program.stop_signal)

    def stop(self) -> None:
        """Ask, wait, and kill what does not listen."""
        if self._child is None:
            return
        self.request_stop()
        try:
            self._child.wait(self.program.stop_seconds)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()


def _bound_to_us(program: Program) -> Callable[[], None]:
    """Between fork and exec: the identity, then the death signal, which it would have cleared."""
    launcher = os.getpid()

    def prepare() -> None:
        program.identity.enter()
        if sys.platform == "linux":
            _libc.prctl(PR_SET_PDEATHSIG, program.stop_signal, 0, 0, 0)
            if os.getppid() != launcher:  # it ended before we asked
                os._exit(1)

    return prepare
