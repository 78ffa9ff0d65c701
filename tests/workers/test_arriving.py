"""Where a request ends is found however it is cut into pieces."""

from __future__ import annotations

import pytest

from shared.http.json_body import MAX_BYTES
from shared.workers.arriving import MOST_CHUNKED, MOST_HEAD, Arriving, NeverEnding

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    HEAD + b"Content-Length: 0\r\n\r\n",
    HEAD + b"content-length:4\r\n\r\n\r\n\r\n",
    HEAD + b"Content-Length: 2\r\nAccept: */*\r\n\r\n{}",
    HEAD + b"Transfer-Encoding: gzip\r\n\r\n",
    CHUNKED + b"0\r\n\r\n",
    CHUNKED + b"2\r\n{}\r\n0\r\n\r\n",
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


@pytest.mark.parametrize("broken", [b"no size\r\n", b"\r\n", b"-1\r\n"])
def test_what_is_no_chunk_is_left_to_the_parser(broken: bytes) -> None:
    assert Arriving().add(CHUNKED + broken)


@pytest.mark.parametrize(
    "endless",
    [
        b"GET / HTTP/1.1\r\nX: " + b"x" * MOST_HEAD,
        HEAD + b"Content-Length: %d\r\n\r\n" % (MAX_BYTES + 1),
        CHUNKED + b"1\r\nx\r\n" * (MAX_BYTES + 1),
    ],
)
def test_of_what_is_too_long_no_more_is_wanted(endless: bytes) -> None:
    arriving = Arriving()
    assert arriving.add(endless)
    assert arriving.is_cut


def test_a_little_content_in_endless_wrapping_is_not_awaited() -> None:
    wrapped = b"1;" + b"x" * 1_000 + b"\r\n?\r\n"
    arriving = Arriving()
    with pytest.raises(NeverEnding):
        arriving.add(CHUNKED + wrapped * ((MOST_HEAD + MOST_CHUNKED) // 1_000))
