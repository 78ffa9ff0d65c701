"""Players at a table, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from shared.engine.options import Options
from shared.http.resources import resources_of
from tests.services.conftest import register
from tests.tables import Play

Document = dict[str, Any]
Headers = dict[str, str]


def post(
    client: FlaskClient, who: Headers, path: str, body: object = None, **headers: str
) -> TestResponse:
    """Send a POST; `If_Match="..."` is a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(path, json={} if body is None else body, headers={**who, **named})


def ok(answer: TestResponse) -> Document:
    """Give the document of a request that was not refused."""
    assert answer.status_code < 300, answer.text
    document: Document = answer.get_json()
    return document


def problem(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def account_of(client: FlaskClient, who: Headers) -> str:
    account: str = open_game(client, who)["state"]["created_by"]
    return account


def open_game(client: FlaskClient, creator: Headers, **wish: object) -> Document:
    return ok(post(client, creator, "/v1/games", wish))


@dataclass
class Running:
    """A running game and who sits where."""

    client: FlaskClient
    path: str
    seats: list[Headers]
    state: Document

    def move(self, seat: int, move: Document, **headers: str) -> TestResponse:
        return post(self.client, self.seats[seat], f"{self.path}/moves", {"move": move}, **headers)

    def play(self, seat: int, **move: object) -> Document:
        """Make a move that must be accepted."""
        change = ok(self.move(seat, move))
        self.state = change["state"]
        return change

    def preview(self, seat: int, move: Document) -> Document:
        return ok(post(self.client, self.seats[seat], f"{self.path}/preview", {"move": move}))

    @property
    def game_id(self) -> UUID:
        return UUID(self.path.rpartition("/")[2])

    @property
    def awaited(self) -> int:
        seat: int = self.state["awaiting"][0]["seat"]
        return seat


def start(client: FlaskClient, players: Sequence[Headers], **options: object) -> Running:
    """Open a game, let all join and start it; by default they sit as they joined."""
    creator, *others = players
    wish = {"seating": "as_joined", **options}
    path = "/v1/games/" + open_game(client, creator, options=wish)["id"]
    for player in others:
        ok(post(client, player, f"{path}/players"))
    state = ok(post(client, creator, f"{path}/start"))["state"]
    return Running(client, path, list(players), state)


def sit_down(client: FlaskClient, players: Sequence[Headers], options: Options) -> Play:
    """Start a game of these players that is not stored yet."""
    return Play([UUID(account_of(client, player)) for player in players], options).start()


def go_on(client: FlaskClient, players: Sequence[Headers], play: Play) -> Running:
    """Store a game of these players, to be played on over HTTP."""
    play.store(resources_of(client.application).store)
    whose = dict(zip(map(str, play.accounts), players, strict=True))
    seats = [whose[account] for account in play.table.seats]
    return Running(client, f"/v1/games/{play.game_id}", seats, {})


@pytest.fixture
def players(commands: FlaskClient) -> list[Headers]:
    return [register(commands, name) for name in ("Ana", "Bob", "Cid")]


@pytest.fixture
def running(commands: FlaskClient, players: list[Headers]) -> Running:
    """Three players, the first to choose a role."""
    return start(commands, players)
