"""What gunicorn's parser reads from: the bytes of a request that are there, and no others."""

from __future__ import annotations

from gunicorn.http.errors import ParseException
from gunicorn.http.unreader import Unreader

_PIECE = 8192


class Unfinished(ParseException):  # type: ignore[misc]
    """More of a request is wanted than was gathered."""


class Gathered(Unreader):  # type: ignore[misc]
    """Stands for the socket, from which the parser would go on reading, and wait for the client.

    Should it and `Arriving` disagree about where a request ends, that costs nobody else anything.
    """

    def __init__(self, received: bytes | bytearray) -> None:
        super().__init__()
        self.unread(received)

    def read(self, size: int | None = None, read_ahead: int | None = None) -> bytes:  # noqa: ARG002
        """Give that many bytes, or what a socket gives at once.

        The parser copies all that it got with each chunk of a body, so that everything at once
        cost it a minute.
        """
        there = self.buf.getbuffer().nbytes
        if there < (size or 1):
            raise Unfinished
        piece: bytes = super().read(size or min(there, _PIECE))
        return piece
