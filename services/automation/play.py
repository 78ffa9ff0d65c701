"""Bots that take seats: `python -m services.automation.play --url URL --data FOLDER`.

Each strategy has accounts of its own, registered when they are first needed. Their tokens are kept
in the folder; all else that the bots know they are told by the API, so any number of games may be
going on, and bots and server may stop and start as they like. They take seats until the process is
told to end.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import time
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import httpx
import structlog

from services.automation import address
from services.automation.bots import BOTS, Bot, planner
from services.automation.client import ApiError
from services.automation.credentials import Credentials
from services.automation.player import Player
from shared import logs

SHORTEST_PAUSE = 0.1
LONGEST_PAUSE = 2.0
"""Seconds between two looks for turns; while nothing happens they become longer."""

_log = structlog.get_logger("bots")


class Strategy(NamedTuple):
    bot: Bot
    description: str
    """For people who choose an opponent."""


def strategies(seconds: float) -> dict[str, Strategy]:
    """By name; whoever searches does so for so many seconds at most."""
    return {
        "random": Strategy(BOTS["random"], "Any legal move, each as likely as the others."),
        "greedy": Strategy(BOTS["greedy"], "Tries each move out and takes what is best after it."),
        "planner": Strategy(
            partial(planner.choose, seconds=seconds),
            "Plays many ways on in its head before it moves.",
        ),
    }


def main(argv: Sequence[str] | None = None) -> None:
    arguments = _arguments(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    logs.configure(os.environ.get("LOG_LEVEL") or "INFO")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # a line for each request
    url = arguments.url
    _await_server(url)
    credentials = Credentials(arguments.data / "bots.json")
    players = [
        Player(name, credentials.sign_in(url, name, strategy.description), strategy.bot)
        for kind, strategy in strategies(arguments.seconds).items()
        for name in _names(kind, arguments.each)
    ]
    _log.info("bots play", accounts=len(players))
    try:
        play_on(players)
    finally:
        for player in players:
            player.take_no_seats()


def play_on(players: Sequence[Player]) -> None:
    """Take all turns as they come, for ever."""
    pause = SHORTEST_PAUSE
    while True:
        busy = [_take_turns(player) for player in players]
        pause = SHORTEST_PAUSE if any(busy) else min(pause * 1.3, LONGEST_PAUSE)
        time.sleep(pause)


def _take_turns(player: Player) -> bool:
    """Whether there were any. What one account is not told must not stop the others."""
    try:
        return player.take_turns()
    except (httpx.TransportError, ApiError) as error:
        if isinstance(error, ApiError) and error.status == HTTPStatus.UNAUTHORIZED:
            raise  # the account is gone: who starts us again lets us register anew
        _log.warning("the turns are not listed", error=str(error))
        return False


def _names(kind: str, count: int) -> list[str]:
    """planner, planner-2, planner-3 ..."""
    return [kind if number == 1 else f"{kind}-{number}" for number in range(1, count + 1)]


def _await_server(url: str) -> None:
    while True:
        try:
            if httpx.get(f"{url}/readyz").status_code == HTTPStatus.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Bots that take seats, until they are stopped.")
    parser.add_argument("--url", type=address.address, required=True, help="where the API is")
    parser.add_argument("--data", type=Path, required=True, help="the folder for their tokens")
    parser.add_argument("--each", type=int, default=1, help="accounts per strategy (default 1)")
    parser.add_argument("--seconds", type=float, default=2, help="the most for a move (default 2)")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
