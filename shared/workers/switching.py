"""Gunicorn's greenlets: half a request costs little there, but must not stay for ever."""

from __future__ import annotations

from functools import partial
from typing import Any

from gevent.monkey import get_original
from gevent.pool import Pool
from gevent.server import StreamServer
from gunicorn.workers.ggevent import GeventWorker

from shared.workers.refusing import Refusing
from shared.workers.sharing import hesitation

_sleep = get_original("time", "sleep")
"""Of the whole process: where connections are taken nothing can be switched to."""


class _Server(StreamServer):  # type: ignore[misc]
    max_accept = 1

    def do_read(self) -> Any:
        _sleep(hesitation(len(self.pool)))
        return super().do_read()


class Worker(Refusing, GeventWorker):  # type: ignore[misc]
    """A request's head must come within `keepalive`, as gunicorn has it."""

    def server_class(self, listener: Any, *, spawn: Pool, **_: Any) -> StreamServer:
        """Make what gunicorn makes of a listener when this names nothing else."""
        return _Server(listener, handle=partial(self.handle, listener), spawn=spawn)
