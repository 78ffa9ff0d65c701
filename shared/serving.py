"""Gunicorn's settings for every service; the start command adds address, workers and their kind.

`gunicorn --config python:shared.serving 'services.commands.app:create_app()'`
"""

from __future__ import annotations

from typing import Any

from prometheus_client import multiprocess

graceful_timeout = 10
keepalive = 75
"""Longer than a proxy keeps its connections, or the proxy may write into one that closes."""
control_socket_disable = True
"""It would be one file in the home folder for all gunicorns of the machine."""


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001  # gunicorn's signature
    """Forget the gauges of a worker that is gone."""
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
