"""Gunicorn's settings for every service; the start command adds address, workers and their kind.

`gunicorn --config python:shared.serving 'services.commands.app:create_app()'`
"""

from __future__ import annotations

import gc
import os
import socket
import struct
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
_ALLOCATIONS = 20_000
"""Of containers that live on, before the young ones are searched for cycles; 700 by default."""


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


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001  # gunicorn's signature
    """Forget the gauges of a worker that is gone, if they are shared."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
