"""Where a request ends is found however it is cut into pieces."""

from __future__ import annotations

import pytest

from shared.http.json_body import MAX_BYTES
from shared.workers.arriving import MOST_CHUNKED, MOST_CONTENT, MOST_HEAD, Arriving

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    HEAD + b"Content-Length: 0\r\n\r\n",
    HEAD + b"content-length:4\r\n\r\n\r\n\r\n",
    HEAD + b"Content-Length: 2\r\nAccept: */*\r\n\r\n{}",
    HEAD + b"CONTENT-LENGTH: \t000000000000000002 \r\n\r\n{}",
    HEAD + b"X-Content-Length: 5\r\nContent_Length: 5\r\n\r\n",
    HEAD + b"Transfer-Encoding:CHUNKED\t\r\n\r\n0\r\n\r\n",
    CHUNKED + b"0\r\n\r\n",
    CHUNKED + b"2\r\n{}\r\n0\r\n\r\n",
    CHUNKED + b"000000002\r\n{}\r\n0000000000000000\r\n\r\n",
    CHUNKED + b"A;name=value\r\n0\r\n\r\n12345\r\n0\r\nTrailer: value\r\n\r\n",
]


@pytest.mark.parametrize("request_", WHOLE)
@pytest.mark.parametrize("piece", [1, 2, 7, 10_000])
def test_a_request_is_whole_with_its_last_byte_and_not_before(request_: bytes, piece: int) -> None:
    arriving = Arriving()
    for begin in range(0, len(request_) - piece, piece):
        assert not arriving.add(request_[begin : begin + piece])
    rest = request_[len(arriving.received) :]
    assert not rest[:-1] or not Arriving().add(request_[:-1])
    assert arriving.add(rest)
    assert arriving.received == request_
    assert not arriving.is_cut


@pytest.mark.parametrize("broken", [b"no size\r\n", b"\r\n", b"-1\r\n", b"0" * 16 + b"5\r\n"])
def test_what_is_no_plain_chunk_is_left_to_the_parser(broken: bytes) -> None:
    arriving = Arriving()
    assert arriving.add(CHUNKED + broken)
    assert arriving.is_cut


@pytest.mark.parametrize(
    "fields",
    [
        b"Content-Length: 0000000000000000000000005",
        b"Content-Length: +5",
        b"Content-Length: 5, 5",
        b"Content-Length: \xb2",
        b"Content-Length:",
        b"Content-Length: 5\r\nContent-Length: 5",
        b"Content-Length: 0\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: identity, chunked",
        b"Transfer-Encoding: gzip, chunked",
        b"Transfer-Encoding: gzip",
        b"Transfer-Encoding:",
    ],
)
def test_an_end_that_is_not_told_plainly_is_left_to_the_parser(fields: bytes) -> None:
    arriving = Arriving()
    assert arriving.add(HEAD + fields + b"\r\n\r\n")
    assert arriving.is_cut


@pytest.mark.parametrize(
    "endless",
    [
        b"GET / HTTP/1.1\r\nX: " + b"x" * MOST_HEAD,
        HEAD + b"Content-Length: %d\r\n\r\n" % (MAX_BYTES + 1),
        CHUNKED + b"1\r\nx\r\n" * (MOST_CONTENT + 1),
        CHUNKED + (b"1;" + b"x" * 1_000 + b"\r\n?\r\n") * ((MOST_HEAD + MOST_CHUNKED) // 1_000),
        CHUNKED + b"1;" + b"x" * (MOST_HEAD + MOST_CHUNKED),
        CHUNKED + b"0\r\nTrailer: " + b"x" * (MOST_HEAD + MOST_CHUNKED),
    ],
)
def test_of_what_is_too_long_no_more_is_wanted(endless: bytes) -> None:
    arriving = Arriving()
    assert arriving.add(endless)
    assert arriving.is_cut


@pytest.mark.timeout(10)
def test_a_line_of_blanks_is_read_at_once() -> None:
    for name in (b"Content-Length", b"Transfer-Encoding", b"Expect"):
        line = name + b": 1" + b" " * (MOST_HEAD - 1_000) + b"1"
        assert Arriving().add(HEAD + line + b"\r\n\r\n")
