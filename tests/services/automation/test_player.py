"""A bot's account takes up what an outage left unanswered, and leaves alone what is refused."""
# ruff: noqa: ARG001, ARG002  # a hand-made fake takes what its model takes

import json
from collections.abc import Mapping
from random import Random

import pytest

from services.automation.client import ApiError, Client, Document
from services.automation.player import Player
from shared.engine import Game, legal
from shared.engine.commands import Command
from shared.views.state import state_document
from tests.tables import Play


class Server(Client):
    """A hand-made server with one game that awaits the account; it answers as it is told."""

    def __init__(self, state: Document, statuses: list[int]) -> None:
        super().__init__("http://nowhere.invalid")
        self.statuses = statuses
        self._state = state

    def get(self, path: str, **query: str | int) -> Document:
        if path != "/v1/me/turns":
            return self._state
        asked = self._state["awaiting"][0]
        version = self._state["version"]
        return {"items": [{"game_id": self._state["id"], "version": version, **asked}]}

    def post(
        self, path: str, body: Mapping[str, object] | None = None, key: str | None = None
    ) -> Document:
        status = self.statuses.pop(0)
        if status != 201:
            raise ApiError(status, {"title": "refused"})
        return {"state": {**self._state, "awaiting": []}}


def any_legal(game: Game, seat: int, random: Random) -> Command:
    return legal(game, seat)[0]


def player(statuses: list[int]) -> tuple[Player, Server]:
    state: Document = json.loads(state_document(Play(3).start().table, 0))
    server = Server(state, statuses)
    return Player("any", server, any_legal), server


def test_a_decision_left_open_by_an_outage_is_taken_up_again() -> None:
    bot, server = player([503, 201])

    with pytest.raises(ApiError):
        bot.take_turns()

    assert bot.take_turns()
    assert server.statuses == []


@pytest.mark.parametrize("status", [201, 409])
def test_an_answered_or_refused_decision_is_left_alone(status: int) -> None:
    bot, _ = player([status])

    assert bot.take_turns()
    assert not bot.take_turns()
