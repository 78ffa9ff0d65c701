"""Bots play whole games through the API, whatever breaks, and note what they were promised."""

from __future__ import annotations

import secrets
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from random import Random
from typing import TypeVar

import httpx
from msgspec import Struct

from services.automation.choosing import choose
from services.automation.client import ApiError, Client, Document, register
from tests.faults.room import Up

T = TypeVar("T")
PASSING = (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE)
"""Refusals that say "try again"; every other one fails the test."""


class Promise(Struct, frozen=True):
    """An accepted request: what was answered under which key."""

    account: str
    key: str
    answer: Document


class Journal:
    """What all bots asked for and were promised; lists and sets are safe for threads to add to."""

    def __init__(self) -> None:
        self.asked: set[tuple[str, str]] = set()
        self.promises: list[Promise] = []
        self.over: list[str] = []

    @property
    def games(self) -> list[str]:
        return list(dict.fromkeys(promise.answer["id"] for promise in self.promises))


class Player:
    """An account: it reads here and writes there, and never gives up."""

    def __init__(self, up: Up, journal: Journal, rng: Random) -> None:
        name = f"bot-{secrets.token_hex(6)}"
        self.writes, self.account = register(up.commands_url, name, secrets.token_urlsafe())
        self.reads = Client(up.queries_url, self.writes.token)
        self.http = httpx.Client(base_url=up.commands_url, timeout=30)
        self._journal, self._rng = journal, rng

    def close(self) -> None:
        self.reads.close()
        self.writes.close()
        self.http.close()

    def get(self, path: str, **query: str | int) -> Document:
        return insist(lambda: self.reads.get(path, **query))

    def post(self, path: str, body: Document | None = None) -> Document:
        """One wish under one key; sometimes the connection breaks first, at any moment."""
        key = str(uuid.uuid4())
        self._journal.asked.add((self.account, key))
        if self._rng.random() < 0.2:
            self._break_off(path, body or {}, key)
        answer = insist(lambda: self.writes.post(path, body, key))
        self._journal.promises.append(Promise(self.account, key, answer))
        return answer

    def send(
        self,
        method: str,
        path: str,
        body: Document | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 30,
    ) -> httpx.Response:
        """One request to the command service as it is, once."""
        own = {"Authorization": f"Bearer {self.writes.token}", **(headers or {})}
        return self.http.request(method, path, json=body, headers=own, timeout=timeout)

    def _break_off(self, path: str, body: Document, key: str) -> None:
        """Hang up before the request is read, while it is handled, or when it is committed."""
        timeout = self._rng.uniform(0.001, 0.04)
        with suppress(httpx.TransportError):
            self.send("POST", path, body, {"Idempotency-Key": key}, timeout)


class Bot:
    """Sits at all seats of one game after another."""

    def __init__(self, up: Up, journal: Journal, seed: int) -> None:
        self._rng = Random(seed)
        self._journal = journal
        self.players = [Player(up, journal, self._rng) for _ in range(4)]

    def close(self) -> None:
        for player in self.players:
            player.close()

    def play_until(self, end: Callable[[], bool]) -> None:
        """Begin games until the end has come; a game that was begun is finished."""
        while not end():
            self.play()

    def play(self, most: int | None = None) -> str:
        """One game, to its end or so many moves; says which."""
        path, state = self._sit_down()
        by_account = {player.account: player for player in self.players}
        for _ in range(most) if most else count():
            if state["status"] != "running":
                self._journal.over.append(state["id"])
                break
            asked = self._rng.choice(state["awaiting"])
            player = by_account[state["seats"][asked["seat"]]]
            state = self._move(player, path, state["version"])
        return str(state["id"])

    def _sit_down(self) -> tuple[str, Document]:
        creator, *others = self._rng.sample(self.players, self._rng.randint(2, 4))
        buildings = self._rng.choice(["base", "random"])
        path = f"/v1/games/{creator.post('/v1/games', {'options': {'buildings': buildings}})['id']}"
        for player in others:
            player.post(f"{path}/players")
        state: Document = creator.post(f"{path}/start")["state"]
        return path, state

    def _move(self, player: Player, path: str, version: int) -> Document:
        """Read what one has just written, and answer it."""
        legal = player.get(f"{path}/legal-moves", min_version=version)
        own = player.get(path, min_version=version)
        move = choose(self._rng.getrandbits(32), own, legal)
        body = {"move": move, "decision_id": legal["decision_id"]}
        state: Document = player.post(f"{path}/moves", body)["state"]
        return state


def insist(ask: Callable[[], T]) -> T:
    """Ask until there is an answer that is no outage's."""
    while True:
        try:
            return ask()
        except httpx.TransportError:
            pass
        except ApiError as refused:
            if refused.status not in PASSING:
                raise
        time.sleep(0.1)
