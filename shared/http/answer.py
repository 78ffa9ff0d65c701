"""An answer before any framework's: what it says, and the headers that belong to it."""

from __future__ import annotations

from flask import Response
from msgspec import Struct


class Answer(Struct, frozen=True):
    """To be written out by a view, by a door, or from the store for a retry."""

    status: int
    body: bytes
    headers: dict[str, str]

    def response(self) -> Response:
        return Response(self.body, self.status, self.headers)
