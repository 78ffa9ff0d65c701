"""A small client of the public API, as a third party would write it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import httpx

Document = dict[str, Any]
"""A JSON object as the API answers it."""

_PAGE = 500
_PATIENCE = 8
"""How often a request is sent before the client gives up."""
_LATER = (429, 502, 503, 504)
"""Statuses after which the same request may succeed; proxies too answer so."""


class ApiError(Exception):
    """The API refused; `problem` is its problem document."""

    def __init__(self, status: int, problem: Document) -> None:
        super().__init__(f"{status}: {problem.get('detail') or problem.get('title')}")
        self.status, self.problem = status, problem


class Client:
    """One account's connection. Lost answers are asked for again under the same Idempotency-Key."""

    def __init__(self, base_url: str, token: str | None = None) -> None:
        self.token = token
        self._http = httpx.Client(base_url=base_url, timeout=30)

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
        for attempt in range(_PATIENCE):
            last = attempt == _PATIENCE - 1
            try:
                answer = self._http.request(
                    method, path, json=body, headers=headers, params=dict(query)
                )
            except httpx.TransportError:
                if last or (method == "POST" and not self.token):
                    raise
                time.sleep(0.2 * 2**attempt)
                continue
            if answer.status_code in _LATER and not last:
                time.sleep(float(answer.headers.get("Retry-After", 0.2 * 2**attempt)))
                continue
            return _document(answer)
        raise AssertionError("the last attempt answers or raises")


def _document(answer: httpx.Response) -> Document:
    if answer.status_code == httpx.codes.NO_CONTENT:
        return {}
    is_json = "json" in answer.headers.get("Content-Type", "")
    document: Document = answer.json() if is_json else {"title": answer.reason_phrase}
    if answer.is_error:
        raise ApiError(answer.status_code, document)
    return document


def register(base_url: str, name: str, password: str, **profile: str | bool) -> tuple[Client, str]:
    """A new account: its client and its id."""
    client = Client(base_url)
    answer = client.post("/v1/accounts", {"name": name, "password": password, **profile})
    client.token = answer["token"]
    return client, answer["account"]["id"]


def audit_trail(client: Client, game_id: str) -> Iterator[Document]:
    """Every event of a game, page by page."""
    after: int | None = 0
    while after is not None:
        page = client.get(f"/v1/games/{game_id}/events", after=after, limit=_PAGE)
        yield from page["items"]
        after = page["next"]
