"""puertorico bot: a bot with an account of its own joins a game and plays it to its end."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from random import Random

import httpx

from services.automation.bots import BOTS, Bot, answer, planner, read_seen
from services.automation.client import ApiError, Client, Document, register
from shared.wire.moves import encode_move

_URL = "http://127.0.0.1:8000"
_PAUSE_SECONDS = 0.5
_SIMULATIONS = 2_000
"""Enough to use up the time that a planner is given."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", choices=BOTS)
    parser.add_argument("game", help="the id of an open game")
    parser.add_argument("--code", help="what a private game is joined with")
    parser.add_argument("--seconds", type=float, default=1.0, help="a planner's time for a move")
    parser.add_argument(
        "--pause", type=float, default=_PAUSE_SECONDS, help="seconds between looks at the game"
    )
    parser.add_argument("--url", default=_URL, help=f"where the API is (default {_URL})")


def run(arguments: argparse.Namespace) -> int:
    thinking = partial(planner.choose, simulations=_SIMULATIONS, seconds=arguments.seconds)
    bot = thinking if arguments.bot == "planner" else BOTS[arguments.bot]
    try:
        state = take_part(arguments, bot)
    except httpx.ConnectError:
        print(f"puertorico: nothing answers at {arguments.url}: is it up?", file=sys.stderr)
        return 1
    except ApiError as error:
        print(f"puertorico: the API refused: {error}", file=sys.stderr)
        return 1
    print(f"The game is {state['status']}; winners: {state['winners']}.")
    return 0


def take_part(arguments: argparse.Namespace, bot: Bot) -> Document:
    """Register, join and play; the state at the end."""
    name = f"{arguments.bot}-{secrets.token_hex(4)}"
    client, account = register(arguments.url.rstrip("/"), name, secrets.token_urlsafe(16))
    path = f"/v1/games/{arguments.game}"
    code = {"code": arguments.code} if arguments.code else {}
    try:
        state: Document = client.post(f"{path}/players", code)["state"]
        print(f"{name} has joined {arguments.url}{path}.", flush=True)
        return Player(client, account, path, bot, arguments.pause).play(state)
    finally:
        client.close()


@dataclass(frozen=True)
class Player:
    """A bot that plays for an account in a game."""

    client: Client
    account: str
    path: str
    bot: Bot
    pause_seconds: float = _PAUSE_SECONDS
    random: Random = field(default_factory=Random)

    def play(self, state: Document) -> Document:
        """Answer whatever the account is asked until the game is over; the state at the end."""
        while state["status"] in ("open", "running"):
            answered = self.answer_turn(state)
            if answered is None:
                time.sleep(self.pause_seconds)
            state = answered or self.client.get(self.path, min_version=state["version"])
        return state

    def answer_turn(self, state: Document) -> Document | None:
        """Answer the decision that awaits the account in this state; the state after it.

        None if nothing awaits it, or no longer: its game may just have been aborted.
        """
        seats = state["seats"]
        asked = next((a for a in state["awaiting"] if seats[a["seat"]] == self.account), None)
        if asked is None:
            return None
        seat = asked["seat"]
        command = answer(self.bot, read_seen(state, seat), seat, self.random)
        move = {"move": encode_move(command), "decision_id": asked["decision_id"]}
        try:
            after: Document = self.client.post(f"{self.path}/moves", move)["state"]
        except ApiError as error:
            if error.status != HTTPStatus.CONFLICT:
                raise
            return None
        return after
