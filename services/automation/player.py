"""A bot's account: it answers what awaits it, and knows what the API shows its seats."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from http import HTTPStatus
from random import Random

import httpx
import structlog

from services.automation.bots import Bot, read_seen
from services.automation.client import ApiError, Client, Document, listed
from shared.wire.moves import encode_move

_AT_ONCE = 100
"""Decisions taken up in one go; those beyond wait for the next."""
_ASIDE_SECONDS = 60.0
"""So long a decision is left alone that could not be read or answered."""

_log = structlog.get_logger("bots")


class Player:
    """One account and the bot that chooses its moves."""

    def __init__(self, name: str, client: Client, bot: Bot) -> None:
        self._client = client
        self._bot = bot
        self._random = Random()
        self._log = _log.bind(bot=name)
        self._aside: dict[str, float] = {}
        """Decisions that may still be listed, and until when each is not taken up again."""

    def take_turns(self) -> bool:
        """Answer what awaits the account; whether there was anything.

        Raises httpx.TransportError or ApiError when the turns are not listed.
        """
        turns = {
            _key(turn["game_id"], turn["decision_id"]): turn
            for turn in listed(self._client, "/v1/me/turns", _AT_ONCE)
        }
        self._aside = {key: until for key, until in self._aside.items() if key in turns}
        now = time.monotonic()
        new = [key for key in turns if self._aside.get(key, now) <= now][:_AT_ONCE]
        for key in new:
            self._take_up(key, turns[key])
        return bool(new)

    def take_no_seats(self) -> None:
        """Be offered to nobody while nobody plays, if the server can be told so now."""
        self._client.hurry()
        with suppress(httpx.TransportError, ApiError):
            self._client.patch("/v1/me", {"accepts_seats": False})

    def _take_up(self, key: str, turn: Document) -> None:
        """Play on in one game. What goes wrong there must not stop all the others.

        A decision that an outage left unanswered is taken up again, one that is refused is not.
        """
        log = self._log.bind(game_id=turn["game_id"])
        until = math.inf
        try:
            self._play(turn["game_id"], turn["seat"], turn["version"])
        except (httpx.TransportError, ApiError) as error:
            if _may_pass(error):
                until = time.monotonic() + _ASIDE_SECONDS
                log.warning("set aside", error=str(error))
            else:  # the game has moved on, or the seat is another's now
                log.info("refused", error=str(error))
        except Exception:  # whatever it was, the next turn is another game's
            log.exception("not played")
        self._aside[key] = until

    def _play(self, game_id: str, seat: int, version: int) -> None:
        """Answer this decision and those that follow it, until somebody else is awaited."""
        path = f"/v1/games/{game_id}"
        state = self._client.get(path, min_version=version)
        while (decision_id := _asked(state, seat)) is not None:
            move = encode_move(self._bot(read_seen(state, seat), seat, self._random))
            answer = self._client.post(f"{path}/moves", {"move": move, "decision_id": decision_id})
            self._aside[_key(game_id, decision_id)] = math.inf
            state = answer["state"]


def _may_pass(error: httpx.TransportError | ApiError) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, httpx.TransportError):
        return True
    limited = error.status == HTTPStatus.TOO_MANY_REQUESTS
    return limited or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _asked(state: Document, seat: int) -> str | None:
    ids = [asked["decision_id"] for asked in state["awaiting"] if asked["seat"] == seat]
    return ids[0] if ids else None


def _key(game_id: str, decision_id: str) -> str:
    return f"{game_id} {decision_id}"
