"""A small client of the public API, as a third party would write it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import httpx

Document = dict[str, Any]
"""A JSON object as the API answers it."""

_PAGE = 500
_PATIENCE_SECONDS = 30.0
"""So long is a request sent again; who is told to wait for longer is told so at once."""
COMMAND_SECONDS = 5.0
"""So long for a command at which somebody sits and waits: long enough for a restart."""
_HURRY_SECONDS = 2.0
_LATER = (429, 502, 503, 504)
"""Statuses after which the same request may succeed; proxies too answer so."""


class ApiError(Exception):
    """The API refused, or what answered is not the API; `problem` is a problem document."""

    def __init__(self, status: int, problem: Document) -> None:
        super().__init__(f"{status}: {problem.get('detail') or problem.get('title')}")
        self.status, self.problem = status, problem


class Client:
    """One account's connection. Lost answers are asked for again under the same Idempotency-Key."""

    def __init__(self, base_url: str, token: str | None = None) -> None:
        self.token = token
        self.patience = _PATIENCE_SECONDS
        self._http = httpx.Client(base_url=base_url, timeout=30)

    def hurry(self) -> None:
        """Send nothing again from now on, and wait for an answer for a moment only."""
        self.patience, self._http.timeout = 0, httpx.Timeout(_HURRY_SECONDS)

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, **query: str | int) -> Document:
        return self._send("GET", path, None, {}, query)

    def post(
        self, path: str, body: Mapping[str, object] | None = None, key: str | None = None
    ) -> Document:
        """A POST that stores: under one key it happens once, however often it is sent."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())} if self.token else {}
        return self._send("POST", path, body or {}, headers, {})

    def patch(self, path: str, body: Mapping[str, object]) -> Document:
        return self._send("PATCH", path, body, {}, {})

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None,
        headers: dict[str, str],
        query: Mapping[str, str | int],
    ) -> Document:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        deadline = time.monotonic() + self.patience
        pause = 0.2
        while True:
            wait = pause
            try:
                answer = self._http.request(
                    method, path, json=body, headers=headers, params=dict(query)
                )
            except httpx.TransportError:
                if time.monotonic() + wait > deadline or (method == "POST" and not self.token):
                    raise
            else:
                wait = max(wait, _retry_after(answer))
                if answer.status_code not in _LATER or time.monotonic() + wait > deadline:
                    return _document(answer)
            time.sleep(wait)
            pause *= 2


def _retry_after(answer: httpx.Response) -> int:
    """Seconds; a date, which proxies may write, is as good as nothing."""
    text = answer.headers.get("Retry-After", "")
    return int(text) if text.isdecimal() else 0


def _document(answer: httpx.Response) -> Document:
    if answer.status_code == httpx.codes.NO_CONTENT:
        return {}
    document = _json_object(answer)
    if answer.is_error:
        raise ApiError(answer.status_code, document or {"title": answer.reason_phrase})
    if document is None or not answer.is_success:
        raise ApiError(answer.status_code, {"title": _no_answer(answer)})
    return document


def _json_object(answer: httpx.Response) -> Document | None:
    with suppress(ValueError):
        if isinstance(document := answer.json(), dict):
            return document
    return None


def _no_answer(answer: httpx.Response) -> str:
    """Proxies redirect; others answer with pages of their own."""
    if answer.has_redirect_location:
        return f"{answer.url} leads to {answer.headers['Location']}: name the API's own address."
    return f"{answer.url} answers with no JSON object: this is not the API."


def register(base_url: str, name: str, password: str, **profile: str | bool) -> tuple[Client, str]:
    """A new account: its client and its id."""
    client = Client(base_url)
    answer = client.post("/v1/accounts", {"name": name, "password": password, **profile})
    client.token = answer["token"]
    return client, answer["account"]["id"]


def listed(client: Client, path: str, page: int) -> Iterator[Document]:
    """All items of a list, asked for page by page."""
    after: dict[str, str | int] = {}
    while True:
        found = client.get(path, limit=page, **after)
        yield from found["items"]
        if found["next"] is None:
            return
        after = {"after": found["next"]}


def audit_trail(client: Client, game_id: str) -> Iterator[Document]:
    """Every event of a game."""
    return listed(client, f"/v1/games/{game_id}/events", _PAGE)
