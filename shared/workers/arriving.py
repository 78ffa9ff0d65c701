"""A request on its way: what has come of it, and whether that is enough to answer it."""

from __future__ import annotations

import re

from shared.http.json_body import MAX_BYTES

MOST_HEAD = 300_000
"""More than gunicorn's limits (`shared.serving`) add up to, so that it can refuse without more."""
MOST_CHUNKED = 8 * MAX_BYTES
"""Of a body in chunks: the length of each stands in front of it."""
MOST_CONTENT = MAX_BYTES + 2048
"""Of all its chunks: the parser reads up to 1 KiB ahead of the byte that is too many."""
_FRAMING = re.compile(rb"\r\n(content-length|transfer-encoding):([^\r\n]*)(?=\r\n)", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
_CHUNK_SIZE = re.compile(rb"[0-9a-f]{1,16}(?![0-9a-f])", re.IGNORECASE)


class Arriving:
    """The bytes of one request, and how far they are understood.

    Only its end is looked for, or the point from which it is too long whatever follows. What is
    wrong with it is for the parser to say, so what cannot be understood is enough, and so is what
    tells its end in any but the plain ways.
    """

    def __init__(self) -> None:
        self.received = bytearray()
        self.is_cut = False
        """Whether it is answered before its end, or where that is nobody knows."""
        self.expects_word = False
        """Whether the client waits to be told to go on before it sends the body."""
        self._end = 0
        """Where the body ends, or its next chunk begins; 0 within the head."""
        self._chunked = False
        self._content = 0
        """The sum of all chunks so far."""

    def add(self, more: bytes) -> bool:
        """Take what has come; say whether that is enough."""
        known = len(self.received)
        self.received += more
        if self._end == 0:
            head_end = self.received.find(b"\r\n\r\n", max(known - 3, 0)) + 4
            if head_end < 4:
                self.is_cut = len(self.received) > MOST_HEAD
                return self.is_cut
            self._read_head(head_end)
        if self._chunked:
            return self._has_chunks()
        return self.is_cut or len(self.received) >= self._end

    def _read_head(self, head_end: int) -> None:
        head = self.received[:head_end]
        self._end = head_end
        self.expects_word = _EXPECTS.search(head) is not None
        match [(name.lower(), told.strip(b" \t").lower()) for name, told in _FRAMING.findall(head)]:
            case []:
                pass
            case [(b"transfer-encoding", b"chunked")]:
                self._chunked = True
            case [(b"content-length", length)] if length.isdigit() and len(length) <= 18:
                self._end += int(length)
                self.is_cut = int(length) > MAX_BYTES
            case _:
                self.is_cut = True

    def _has_chunks(self) -> bool:
        """Go from chunk to chunk; after the one of size 0 come trailers and an empty line."""
        while (line_end := self.received.find(b"\r\n", self._end)) >= 0:
            size = _CHUNK_SIZE.match(self.received, self._end)
            if size is None:
                self.is_cut = True
                return True
            if int(size[0], 16) == 0:
                if self.received.find(b"\r\n\r\n", line_end) >= 0:
                    return True
                break
            self._content += int(size[0], 16)
            self._end = line_end + 2 + int(size[0], 16) + 2
        content = self._content - max(self._end - len(self.received), 0)
        self.is_cut = content > MOST_CONTENT or len(self.received) > MOST_HEAD + MOST_CHUNKED
        return self.is_cut
