"""A bot's account takes up what an outage left unanswered, and leaves alone what is refused."""
# ruff: noqa: ARG001, ARG002  # a hand-made fake takes what its model takes

import json
import time
from collections.abc import Mapping
from random import Random

import pytest

from services import automation
from services.automation.client import ApiError, Client, Document
from services.automation.play import play_on
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
        self.listing = 200
        self._state = state

    def get(self, path: str, **query: str | int) -> Document:
        if path != "/v1/me/turns":
            return self._state
        if self.listing != 200:
            raise ApiError(self.listing, {"title": "refused"})
        asked = self._state["awaiting"][0]
        version = self._state["version"]
        turn = {"game_id": self._state["id"], "version": version, **asked}
        return {"items": [turn], "next": None}

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


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_decision_left_open_by_an_outage_is_set_aside_and_taken_up_again(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, server = player([status, status, 201])
    monkeypatch.setattr(automation.player, "_ASIDE_SECONDS", 0)
    assert bot.take_turns()
    monkeypatch.undo()
    assert bot.take_turns()

    assert not bot.take_turns()

    an_hour_later = time.monotonic() + 3600
    monkeypatch.setattr(time, "monotonic", lambda: an_hour_later)
    assert bot.take_turns()
    assert server.statuses == []


@pytest.mark.parametrize("status", [201, 409])
def test_an_answered_or_refused_decision_is_left_alone(status: int) -> None:
    bot, _ = player([status])

    assert bot.take_turns()
    assert not bot.take_turns()


def test_an_account_whose_turns_are_not_listed_stops_no_other() -> None:
    unlisted, failing = player([])
    fine, server = player([201])
    revoked, refusing = player([])
    failing.listing, refusing.listing = 500, 401

    with pytest.raises(ApiError, match="401"):  # is told to whoever starts the bots
        play_on([unlisted, fine, revoked])

    assert server.statuses == []
