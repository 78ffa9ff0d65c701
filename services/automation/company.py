"""Who sits down for a demo: players of its own, and bots of the server."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from services.automation.client import Client, listed, register

_PAGE = 100
_NAMES = ("ana", "beatriz", "carlos", "diego", "elena")


class NoSuchBot(Exception):
    """Nobody of this name takes seats."""


class Company(NamedTuple):
    clients: dict[str, Client]
    """Of the demo's own players, by account id; the first creates the game."""
    bots: list[str]
    """Account ids."""
    names: dict[str, str]
    """Of all, by account id."""


def gather(url: str, players: int, bots: Sequence[str]) -> Company:
    """Register so many players, and find bots of these names. Raises NoSuchBot."""
    table = secrets.token_hex(3)
    clients, names = {}, {}
    for name in _NAMES[:players]:
        client, account = register(url, f"{name}-{table}", secrets.token_urlsafe(16))
        clients[account], names[account] = client, name
    found = _find_bots(next(iter(clients.values())), bots)
    return Company(clients, list(found), names | found)


def _find_bots(client: Client, wanted: Sequence[str]) -> dict[str, str]:
    """Names by account id; `planner` may also be called planner-2."""
    free, found = list(listed(client, "/v1/bots", _PAGE)) if wanted else [], {}
    for name in wanted:
        fitting = (bot for bot in free if f"{bot['name']}-".startswith(f"{name}-"))
        bot = next(fitting, None)
        if bot is None:
            raise NoSuchBot(f"no further bot called {name} takes seats here")
        free.remove(bot)
        found[bot["id"]] = bot["name"]
    return found
