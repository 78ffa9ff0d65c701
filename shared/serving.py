"""Gunicorn's settings for every service; the start command adds address, workers and their kind.

`gunicorn --config python:shared.serving 'services.commands.app:create_app()'`
"""

from __future__ import annotations

import gc
import os
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

graceful_timeout = 10
keepalive = 75
"""Longer than a proxy keeps its connections, or the proxy may write into one that closes."""
control_socket_disable = True
"""It would be one file in the home folder for all gunicorns of the machine."""

limit_request_fields = 64
limit_request_field_size = 4094
"""A head of 260 kB at most, of which nothing is answered before it is there."""

PATIENCE_SECONDS = 5
_METRICS = "PROMETHEUS_MULTIPROC_DIR"
_ALLOCATIONS = 20_000
"""Of containers that live on, before the young ones are searched for cycles; 700 by default."""


def on_starting(server: Any) -> None:  # noqa: ARG001  # gunicorn's signature
    """Forget the gauges of workers that were killed together with their gunicorn.

    Others share the folder, so those of whoever lives stay.
    """
    if folder := os.environ.get(_METRICS):
        for file in Path(folder).glob("gauge_live*_*.db"):
            if _is_gone(file.stem.rpartition("_")[2]):
                file.unlink(missing_ok=True)


def when_ready(server: Any) -> None:
    """Hang up on a client that stays silent in the middle of an answer.

    A thread writes an answer to its end, so as many such clients as there are threads would keep
    everybody out. Connections inherit the listener's time-out. Reading is no thread's business
    (`shared.workers.gathering`).
    """
    limit = struct.pack("ll", PATIENCE_SECONDS, 0)
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)


def post_worker_init(worker: Any) -> None:  # noqa: ARG001  # gunicorn's signature
    """Search for cycles seldom, and never among what the app was made of.

    Requests leave next to none, and all that is alive is looked through each time.
    """
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS)


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001  # gunicorn's signature
    """Take one's gauges along: where gunicorn was killed alone there is no `child_exit`."""
    _forget(worker.pid)


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001  # gunicorn's signature
    """Forget the gauges of a worker that is gone, if they are shared."""
    _forget(worker.pid)


def _forget(pid: int) -> None:
    if os.environ.get(_METRICS):
        with suppress(FileNotFoundError):  # somebody else who starts has been here
            multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]


def _is_gone(pid: str) -> bool:
    """Ended, be it that nobody has asked how yet. In doubt it is not."""
    try:
        os.kill(int(pid), 0)
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except ProcessLookupError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
