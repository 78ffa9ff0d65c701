"""What is no HTTP is refused as all else is: by a problem document, and nothing of it is logged."""

from __future__ import annotations

import secrets
import socket
from http import HTTPStatus

import structlog
from gunicorn.http.errors import ParseException
from gunicorn.util import write_nonblock
from msgspec import json

from shared.http.problems import MEDIA_TYPE, Problem

_log = structlog.get_logger("http")


class Refusing:
    """Goes before one of gunicorn's workers, whose own answer and log repeat what was sent.

    A line of the head that is none may well hold a token.
    """

    def handle_error(
        self, _request: object, client: socket.socket, _address: object, error: BaseException
    ) -> None:
        if isinstance(error, ParseException):
            problem = Problem("bad_request", "This is not well-formed HTTP, or too long.")
            _log.info("no HTTP", error=type(error).__name__)
        else:
            problem = Problem("internal")
            _log.error("unhandled", exc_info=error)
        refuse(client, problem)


def refuse(client: socket.socket, problem: Problem) -> None:
    """Write a refusal, as the last thing that is written there."""
    write_nonblock(client, _written(problem))


def _written(problem: Problem) -> bytes:
    document = json.encode(problem.document(secrets.token_hex(8)))
    status = HTTPStatus(problem.kind.status)
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
        f"Content-Type: {MEDIA_TYPE}\r\nContent-Length: {len(document)}\r\n\r\n"
    )
    return head.encode() + document
