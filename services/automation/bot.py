"""puertorico bot: a bot with an account of its own joins a game and plays it to its end.

Ctrl-C ends the bot, not its part in the game: it keeps its seat, nobody plays on for it, and the
game waits until its creator removes the bot (before the start) or aborts the game.
"""

from __future__ import annotations

import argparse
import secrets
import time
from contextlib import suppress
from functools import partial
from uuid import UUID

import httpx

from services.automation import address
from services.automation.bots import BOTS, Bot, planner
from services.automation.client import ApiError, Client, Document, register
from services.automation.failing import failure
from services.automation.player import Player
from shared import logs

_PAUSE_SECONDS = 0.5
_LONGEST_SECONDS = 3600.0
_SIMULATIONS = 2_000
"""Enough to use up the time that a planner is given."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", choices=BOTS)
    parser.add_argument("game", type=UUID, help="the id of an open game")
    parser.add_argument("--code", help="what a private game is joined with")
    parser.add_argument("--seconds", type=_seconds, default=1.0, help="a planner's time for a move")
    parser.add_argument(
        "--pause", type=_seconds, default=_PAUSE_SECONDS, help="seconds between looks at the game"
    )
    address.configure(parser)


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) <= _LONGEST_SECONDS:
            return seconds
    raise argparse.ArgumentTypeError(f"it is 0 to {_LONGEST_SECONDS:.0f} seconds")


def run(arguments: argparse.Namespace) -> int:
    logs.configure("WARNING")
    thinking = partial(planner.choose, simulations=_SIMULATIONS, seconds=arguments.seconds)
    bot = thinking if arguments.bot == "planner" else BOTS[arguments.bot]
    try:
        state = take_part(arguments, bot)
    except httpx.TransportError as error:
        return failure(address.unanswered(arguments.url, error))
    except ApiError as error:
        return failure(f"the API refused: {error}")
    print(f"The game is {state['status']}; winners: {state['winners']}.")
    return 0


def take_part(arguments: argparse.Namespace, bot: Bot) -> Document:
    """Register, join and play; the state at the end."""
    name = f"{arguments.bot}-{secrets.token_hex(4)}"
    url, path = arguments.url, f"/v1/games/{arguments.game}"
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
