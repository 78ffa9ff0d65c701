"""Gunicorn's threads, none of which ever waits for a client: they get requests that are all there.

In gunicorn's own worker a thread reads a request to its end, and the one thread that watches all
connections waits for each client to close. So a few clients that hang keep everybody out.
"""

from __future__ import annotations

import socket
import time
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import takewhile
from selectors import EVENT_READ

from gunicorn.workers.gthread import TConn, ThreadWorker

from shared.http.problems import Problem
from shared.workers.arriving import Arriving
from shared.workers.gathered import Gathered
from shared.workers.refusing import Refusing, refuse
from shared.workers.sharing import hesitation

_SECONDS = 10
"""So long may a request take to come, or its sender to close after the answer."""
_PIECE = 64 * 1024
_ALIVE_SECONDS = 1.0
"""So often at most the arbiter is told that the worker lives, who waits for that far longer."""


class Worker(Refusing, ThreadWorker):  # type: ignore[misc]
    """Gathers requests in the thread that waits for connections.

    Those that something is awaited from are gunicorn's pending ones, the oldest first. `arriving`
    is the request that is awaited, or None where it is only the end.
    """

    told_until = 0.0

    def notify(self) -> None:
        """Tell the arbiter now and then, not with every event: that is a file to be touched."""
        if (now := time.monotonic()) >= self.told_until:
            self.told_until = now + _ALIVE_SECONDS
            super().notify()

    def accept(self, listener: object) -> None:
        time.sleep(hesitation(self.nr_conns))
        super().accept(listener)

    def enqueue_req(self, conn: TConn) -> None:
        """Gather the next request of a connection, with what was read of it behind the last one.

        As a rule the whole of it is there, and nothing has to be awaited.
        """
        conn.init()
        conn.arriving, conn.is_awaited = Arriving(), False
        if conn.arriving.add(conn.parser.unreader.take_buffered()):
            self._serve(conn)
            return
        conn.sock.setblocking(False)
        self.on_pending_socket_readable(conn, conn.sock)

    def on_pending_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        try:
            piece = client.recv(_PIECE)
            if piece and not self._is_enough(conn, piece):
                self._await(conn)
                return
            self._await_no_more(conn)
            if piece:
                self._serve(conn)
            else:  # half a request is none
                self._let_go(conn)
        except BlockingIOError:
            self._await(conn)
        except OSError:
            self._await_no_more(conn)
            self._let_go(conn)

    def murder_pending(self) -> None:
        """Tell whoever has sent half a request in all this time that it came to nothing."""
        now = time.monotonic()
        for conn in takewhile(lambda conn: conn.timeout <= now, self.pending_conns):
            if conn.arriving is not None and conn.arriving.received:
                with suppress(OSError):
                    refuse(conn.sock, Problem("request_timeout"))
        super().murder_pending()

    def finish_request(self, conn: TConn, fs: Future[bool]) -> None:
        """After the last answer wait for the client to close, lest the answer be lost.

        RFC 9112, section 9.6.
        """
        if not fs.cancelled() and fs.exception() is None and fs.result():
            self._make_room()
            super().finish_request(conn, fs)
            return
        conn.arriving, conn.is_awaited = None, False
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            conn.sock.setblocking(False)
            self._await(conn)
        except OSError:
            self._let_go(conn)

    def _keepalive_after(self, conn: TConn, keepalive: bool) -> bool:
        """What was refused before its end has no next request behind it."""
        return not conn.arriving.is_cut and super()._keepalive_after(conn, keepalive)

    def _cap_keepalive(self, deadline: float) -> None:
        """Stopping, wait for requests that are on their way no longer than for new ones."""
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    def _await(self, conn: TConn) -> None:
        if conn.is_awaited:
            return
        self._make_room()
        conn.is_awaited = True
        conn.timeout = time.monotonic() + _SECONDS
        self.pending_conns.append(conn)
        readable = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, EVENT_READ, readable)

    def _await_no_more(self, conn: TConn) -> None:
        if conn.is_awaited:
            self.poller.unregister(conn.sock)
            self.pending_conns.remove(conn)

    def _is_enough(self, conn: TConn, piece: bytes) -> bool:
        if conn.arriving is None:
            return False
        enough: bool = conn.arriving.add(piece)
        if not enough and conn.arriving.expects_word:
            conn.arriving.expects_word = False
            conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return enough

    def _serve(self, conn: TConn) -> None:
        conn.parser.unreader = Gathered(conn.arriving.received)
        super().enqueue_req(conn)

    def _make_room(self) -> None:
        """With all places taken, who has kept one longest without a request gives it up."""
        if self.nr_conns < self.worker_connections:
            return
        if waiting := max(self.pending_conns, self.keepalived_conns, key=len):
            waiting[0].timeout = 0
        self.murder_keepalived()
        self.murder_pending()

    def _let_go(self, conn: TConn) -> None:
        self.nr_conns -= 1
        conn.close()
