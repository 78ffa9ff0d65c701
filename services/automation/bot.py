"""puertorico bot: a bot with an account of its own joins a game and plays it to its end."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from functools import partial

import httpx

from services.automation.bots import BOTS, Bot, planner
from services.automation.client import ApiError, Client, Document, register
from services.automation.player import Player
from shared import logs

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
    logs.configure("WARNING")
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
    url, path = arguments.url.rstrip("/"), f"/v1/games/{arguments.game}"
    client, _ = register(url, name, secrets.token_urlsafe(16), kind="bot")
    code = {"code": arguments.code} if arguments.code else {}
    try:
        client.post(f"{path}/players", code)
        print(f"{name} has joined {url}{path}.", flush=True)
        return play(client, path, Player(name, client, bot), arguments.pause)
    finally:
        client.close()


def play(client: Client, path: str, player: Player, pause: float) -> Document:
    """Answer whatever the account is asked until the game is over; the state at the end."""
    while (state := client.get(path))["status"] in ("open", "running"):
        if not player.take_turns():
            time.sleep(pause)
    return state
