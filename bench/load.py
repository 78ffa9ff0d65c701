"""A load generator: some connections, each with one request after another, from one process.

The requests lie ready as bytes and of an answer only the status, the length and the ETag are
looked at, so a request costs the generator some 20 microseconds; `Result.own_share` tells.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_HEAD_END = b"\r\n\r\n"
_LENGTH = b"\r\ncontent-length:"
_BODILESS = (b"204", b"304")


@dataclass(slots=True)
class Result:
    """What came back, and how long each answer took."""

    seconds: float
    own_share: float
    """The part of a processor that the generator itself used."""
    statuses: Counter[bytes] = field(default_factory=Counter)
    took: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers in a second."""
        return len(self.took) / self.seconds


@dataclass(slots=True)
class Connection:
    """A kept connection to one address."""

    socket: socket.socket
    requests: Iterator[bytes]
    answer: bytearray = field(default_factory=bytearray)
    missing: int = -1
    """Bytes of the answer still to come; -1 until its head is read."""
    since: float = 0.0

    def send(self) -> bool:
        """Send the next request; false if there is none."""
        request = next(self.requests, None)
        if request is None:
            return False
        self.answer.clear()
        self.missing, self.since = -1, time.perf_counter()
        self.socket.sendall(request)
        return True

    def receive(self) -> bytes | None:
        """Read what has come; the status once the answer is whole."""
        chunk = self.socket.recv(65536)
        if not chunk:
            raise ConnectionError("the server hung up")
        self.answer += chunk
        if self.missing < 0:
            end = self.answer.find(_HEAD_END)
            if end < 0:
                return None
            head = bytes(self.answer[: end + 2]).lower()
            body = 0 if self.status in _BODILESS else _length(head)
            self.missing = end + len(_HEAD_END) + body
        return self.status if len(self.answer) >= self.missing else None

    @property
    def status(self) -> bytes:
        return bytes(self.answer[9:12])


def connect(address: str, requests: Iterator[bytes]) -> Connection:
    """Open a connection that will send these requests."""
    parts = urlsplit(address)
    opened = socket.create_connection((parts.hostname, parts.port), timeout=30)
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(opened, requests)


def drive(connections: Sequence[Connection], seconds: float) -> Result:
    """Keep each connection busy for so long; all requests that were begun are waited for."""
    result = Result(0, 0)
    own, start = time.process_time(), time.perf_counter()
    with selectors.DefaultSelector() as waiting:
        for connection in connections:
            if connection.send():
                waiting.register(connection.socket, selectors.EVENT_READ, connection)
        while waiting.get_map():
            for key, _ in waiting.select(30):
                connection = key.data
                status = connection.receive()
                if status is None:
                    continue
                now = time.perf_counter()
                result.statuses[status] += 1
                result.took.append(now - connection.since)
                if now - start > seconds or not connection.send():
                    waiting.unregister(connection.socket)
    result.seconds = time.perf_counter() - start
    result.own_share = (time.process_time() - own) / result.seconds
    return result


def request(
    method: str, path: str, token: str, body: bytes = b"", if_none_match: str | None = None
) -> bytes:
    """Write a request out."""
    lines = [f"{method} {path} HTTP/1.1", "Host: bench", f"Authorization: Bearer {token}"]
    lines += [f"If-None-Match: {if_none_match}"] if if_none_match else []
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _length(head: bytes) -> int:
    at = head.index(_LENGTH) + len(_LENGTH)
    return int(head[at : head.index(b"\r", at)])
