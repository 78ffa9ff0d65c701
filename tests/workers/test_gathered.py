"""The parser reads what was gathered, and agrees with who gathered it about the end."""

from __future__ import annotations

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.workers.arriving import Arriving
from shared.workers.gathered import Gathered, Unfinished

CONFIG = Config()
POST = b"POST / HTTP/1.1\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
LINES = [b"GET / HTTP/1.1", b"POST / HTTP/1.0", b"PRI * HTTP/2.0", b"POST / HTTP/1.1"]
NAMES = [b"Content-Length:", b"transfer-encoding:", b"Content-Length :", b"Content_Length:", b"X:"]
VALUES = [b"5", b"0", b"+5", b"\xb2", b"chunked", b"identity", b"gzip", b",", b" ", b"\t", b"\r"]
VALUES += [b"\n", b"\r\n ", b"\x0b", b"0" * 20 + b"5", b"9" * 20]
BODIES = [b"5", b"0", b"0" * 9 + b"5", b"0" * 20 + b"5", b"x", b"\r\n", b"\r", b"\n", b";", b" "]
BODIES += [b"hello", b"5\r\nhello\r\n", b"0\r\n\r\n", b"0\r\nX: y\r\n\r\n", b"1;a=b\r\nz\r\n"]


def some(pieces: list[bytes], most: int) -> st.SearchStrategy[bytes]:
    return st.lists(st.sampled_from(pieces), max_size=most).map(b"".join)


fields = st.lists(
    st.builds(lambda name, value: name + value, st.sampled_from(NAMES), some(VALUES, 3)), max_size=3
)
requests = st.builds(
    lambda before, lines, body: before + b"\r\n".join([*lines, b"", b""]) + body,
    st.sampled_from([b"", b"", b"\r\n", b"\n"]),
    st.builds(lambda line, found: [line, *found], st.sampled_from(LINES), fields),
    some(BODIES, 8),
)


def parser_of(received: bytes | bytearray) -> RequestParser:
    parser = RequestParser(CONFIG, (), ("127.0.0.1", 1))
    parser.unreader = Gathered(received)
    return parser


@settings(max_examples=500)
@given(requests)
def test_of_what_has_come_to_its_end_the_parser_wants_neither_more_nor_less(raw: bytes) -> None:
    arriving = Arriving()
    enough = any(arriving.add(raw[place : place + 1]) for place in range(len(raw)))
    parser = parser_of(arriving.received)
    try:
        next(parser).body.read()
    except Unfinished:
        assert not enough or arriving.is_cut
    except ParseException:
        pass
    else:
        assert enough
        assert not parser.unreader.take_buffered()


@pytest.mark.parametrize(
    "half", [POST, POST + b"Content-Length: 5\r\n\r\n1234", CHUNKED + b"5\r\n1234"]
)
def test_who_wants_more_than_there_is_is_refused(half: bytes) -> None:
    with pytest.raises(Unfinished):
        next(parser_of(half)).body.read()


def test_what_comes_behind_a_request_is_kept_for_the_next() -> None:
    parser = parser_of(POST + b"Content-Length: 2\r\n\r\n{}GET /")
    assert next(parser).body.read() == b"{}"
    assert parser.unreader.take_buffered() == b"GET /"


@pytest.mark.timeout(20)
def test_a_body_in_tiny_chunks_is_read_in_time_of_its_length() -> None:
    chunks = 55_000
    body = b"1;name=abc\r\nx\r\n" * chunks + b"0\r\n\r\n"
    assert next(parser_of(CHUNKED + body)).body.read() == b"x" * chunks
