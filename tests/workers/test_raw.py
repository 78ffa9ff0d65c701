"""Bytes that no client library would send, over a socket, to both services."""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from services.stack.data_directory import Servers
from tests.stack.processes import descendants
from tests.workers.conftest import Served, read_answer, serve

HOST = b"Host: localhost\r\n"
JSON = b"Content-Type: application/json\r\n"
POST = b"POST /v1/accounts HTTP/1.1\r\n" + HOST + JSON
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
GET = b"GET /v1/me HTTP/1.1\r\n" + HOST
SECRET = b"pr_" + b"s" * 43
UNCLEAR = [
    POST + b"Content-Length: 0000000000000000000000005\r\n\r\n",
    POST + b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n",
    POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
    POST + b"Transfer-Encoding: identity, chunked\r\n\r\n",
    CHUNKED + b"0" * 100 + b"5\r\n\r\n",
]
"""None of these tells where it ends in one of the two plain ways."""


def only(name: str) -> pytest.MarkDecorator:
    """Of what but one service does."""
    return pytest.mark.parametrize("service", [name], indirect=True)


@pytest.mark.parametrize(
    "raw",
    [
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"G\0T / HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /v1/me HTTP/1.1\r\nAuthorization Bearer " + SECRET + b"\r\n\r\n",
        GET + b"Authorization: Bearer " + SECRET + b"\r\n folded\r\n\r\n",
        GET + b"Authorization: Bearer " + SECRET + b"\0\r\n\r\n",
        GET + b"X-Request-Id: a\rSet-Cookie: b=c\r\n\r\n",
        GET + b"X-Request-Id: a\nSet-Cookie: b=c\r\n\r\n",
        GET + b"X Request: a\r\n\r\n",
        GET + b"X: x\r\n" * 1_000 + b"\r\n",
        GET + b"X: " + b"x" * 1_000_000 + b"\r\n\r\n",
        b"GET /" + b"x" * 1_000_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
        POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        POST + b"Content-Length: -1\r\n\r\n",
        POST + b"Content-Length: 1e3\r\n\r\n",
        POST + b"Transfer-Encoding: gzip\r\n\r\n",
        POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_and_not_logged(service: Served, raw: bytes) -> None:
    answer = service.ask(raw)
    assert answer.problem()["code"] == "bad_request"
    assert "set-cookie" not in answer.headers
    assert SECRET not in answer.body
    assert SECRET.decode() not in service.log.read_text()


@pytest.mark.parametrize(
    "size", [b"ZZ\r\n", b"-1\r\n", b"2\r\n{}0\r\n\r\n", b"2\r\n{}\r\nno size\r\n"]
)
def test_a_broken_chunk_is_refused(service: Served, size: bytes) -> None:
    answer = service.ask(POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + size)
    assert answer.problem()["code"] in {"bad_request", "malformed_body", "misdirected"}


@only("commands")
@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 10000000\r\n\r\n" + b"x" * 10_000_000,
        b"Transfer-Encoding: chunked\r\n\r\n" + b"186A0\r\n" + b"x" * 100_000 + b"\r\n0\r\n\r\n",
        b"Content-Length: 99999999999999\r\n\r\n",
        b"Content-Length: " + b"9" * 400 + b"\r\n\r\n",
    ],
)
def test_a_large_body_is_refused(service: Served, body: bytes) -> None:
    assert service.ask(POST + body).problem()["code"] == "body_too_large"


@pytest.mark.parametrize(
    "target",
    [
        b"/v1/../etc/passwd",
        b"/v1/..%2f..%2fetc%2fpasswd",
        b"/docs/..%2fapp.py",
        b"/docs/%2e%2e/%2e%2e/shared/config.py",
        b"/docs/..\\..\\app.py",
        b"/docs/%c0%ae%c0%ae/app.py",
        b"/v1/games/%00",
        b"/v1//games",
        b"//evil.example/v1/games",
        b"/v1/games/",
        b"/v1/games/%ff%fe",
        b"/problems/" + b"x" * 4_000,
        b"/v1/games/" + b"1" * 36,
        b"/v1/games/01A22BAC-0000-7000-8000-000000000009",
        b"/v1/games/{01a22bac-0000-7000-8000-000000000009}",
        b"/v1/games/01a22bac00007000800000000000009",
    ],
)
def test_a_crooked_path_names_nothing(service: Served, target: bytes) -> None:
    method = b"GET" if service.name == "queries" else b"POST"
    raw = method + b" " + target + b" HTTP/1.1\r\n" + HOST + b"Content-Length: 0\r\n\r\n"
    code = service.ask(raw).problem()["code"]
    assert code in {"not_found", "method_not_allowed", "misdirected"}


@only("queries")
@pytest.mark.parametrize(
    "query",
    [
        b"limit=0",
        b"limit=-1",
        b"limit=1e3",
        b"limit=+1",
        b"limit=1&limit=2",
        b"limit[]=1",
        b"limit=%D9%A1",
        b"limit=" + b"9" * 400,
        b"after=%00",
        b"after=%ff",
        b"after=" + b"a" * 3_000,
        b"status=open%00",
        b"status=nothing",
        b"sort=points",
        b"%00=1",
        b"%ff",
        b"=",
        b"&".join(b"p%d=1" % number for number in range(500)),
    ],
)
def test_an_absurd_query_is_refused(service: Served, query: bytes) -> None:
    answer = service.ask(b"GET /v1/games?" + query + b" HTTP/1.1\r\n" + HOST + b"\r\n")
    assert answer.problem()["code"] == "invalid"


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /v1/rules HTTP/1.1\r\nX: ",
        POST + b"Content-Length: 100\r\n\r\n{",
        POST + b"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n",
        CHUNKED + b"5\r\n{",
        CHUNKED + b"000000005\r\n\r\n",
        CHUNKED + b"5;name=value\r\n{",
        CHUNKED + b"0\r\nTrailer: ",
        b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n" + UNCLEAR[0],
        *UNCLEAR,
    ],
)
def test_many_half_sent_requests_keep_nobody_out(service: Served, half: bytes) -> None:
    with ExitStack() as slow:
        for _ in range(300):
            slow.enter_context(service.connect()).sendall(half)
        begin = time.monotonic()
        for _ in range(5):
            assert httpx.get(f"{service.url}/healthz").status_code == 200
        assert time.monotonic() - begin < 8


@only("commands")
def test_half_a_request_is_refused_in_the_end(service: Served) -> None:
    with service.connect() as client:
        client.sendall(POST + b"Content-Length: 100\r\n\r\n{")
        refused = read_answer(client)
        assert refused.problem()["code"] == "request_timeout"
        assert client.recv(1) == b""


@only("commands")
@pytest.mark.parametrize(
    "endless",
    [
        *UNCLEAR,
        CHUNKED + b"1;name=abc\r\nx\r\n" * 55_000,
        CHUNKED + b"0\r\nTrailer: " + b"x" * 900_000,
        GET + b"X: " + b"x" * 300_000,
    ],
)
def test_what_does_not_come_to_a_plain_end_is_refused_at_once(
    service: Served, endless: bytes
) -> None:
    begin = time.monotonic()
    assert service.ask(endless).problem()["code"] == "bad_request"
    assert time.monotonic() - begin < 5


def test_who_does_not_close_after_the_last_answer_keeps_nobody_out(service: Served) -> None:
    with ExitStack() as slow:
        for _ in range(20):
            client = slow.enter_context(service.connect())
            client.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
            assert read_answer(client).status == 200
        begin = time.monotonic()
        assert httpx.get(f"{service.url}/healthz").status_code == 200
        assert time.monotonic() - begin < 5


@pytest.mark.parametrize(
    "waiting", [b"GET / HTTP/1.1\r\n", b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"]
)
def test_who_takes_the_last_place_gets_that_of_who_has_waited_longest(
    worker_servers: Servers, tmp_path: Path, waiting: bytes
) -> None:
    with (
        serve("commands", worker_servers, tmp_path, connections=20) as service,
        ExitStack() as slow,
    ):
        for _ in range(50):
            slow.enter_context(service.connect()).sendall(waiting)
        begin = time.monotonic()
        assert httpx.get(f"{service.url}/healthz").status_code == 200
        assert time.monotonic() - begin < 5


def test_a_request_may_come_in_pieces_and_several_at_once(service: Served) -> None:
    ask = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    with service.connect() as client:
        for byte in ask[:20]:
            client.sendall(bytes([byte]))
            time.sleep(0.001)
        client.sendall(ask[20:] + ask + ask[:10])
        assert read_answer(client).status == 200
        assert read_answer(client).status == 200
        client.sendall(ask[10:])
        assert read_answer(client).status == 200


@only("commands")
def test_who_waits_for_leave_to_send_a_body_gets_it(service: Served) -> None:
    with service.connect() as client:
        client.sendall(POST + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 100 Continue\r\n\r\n")
        client.sendall(b"{}")
        assert read_answer(client).problem()["code"] == "invalid"


def test_a_worker_that_dies_is_replaced(worker_servers: Servers, tmp_path: Path) -> None:
    with serve("commands", worker_servers, tmp_path) as service:
        (worker,) = descendants(service.pid)
        os.kill(worker, signal.SIGKILL)
        transport = httpx.HTTPTransport(retries=3)
        with httpx.Client(transport=transport, timeout=60) as client:
            assert client.get(f"{service.url}/healthz").status_code == 200
        assert worker not in descendants(service.pid)
