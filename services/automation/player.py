"""A bot's account: it answers what awaits it, and knows what the API shows its seats."""

from __future__ import annotations

from http import HTTPStatus
from random import Random

import httpx
import structlog

from services.automation.bots import Bot, read_seen
from services.automation.client import ApiError, Client, Document
from shared.wire.moves import encode_move

_AT_ONCE = 100
"""Decisions looked at in one go; those beyond wait for the next."""

_log = structlog.get_logger("bots")


class Player:
    """One account and the bot that chooses its moves."""

    def __init__(self, name: str, client: Client, bot: Bot) -> None:
        self._client = client
        self._bot = bot
        self._random = Random()
        self._log = _log.bind(bot=name)
        self._done: set[str] = set()
        """Decisions that may still be listed and are not taken up again."""

    def take_turns(self) -> bool:
        """Answer what awaits the account; whether there was anything.

        Raises httpx.TransportError when the server is away for long, ApiError when it refuses to
        list the turns.
        """
        turns = self._client.get("/v1/me/turns", limit=_AT_ONCE)["items"]
        self._done &= {_key(turn["game_id"], turn["decision_id"]) for turn in turns}
        new = [
            turn for turn in turns if _key(turn["game_id"], turn["decision_id"]) not in self._done
        ]
        for turn in new:
            self._take_up(turn)
        return bool(new)

    def _take_up(self, turn: Document) -> None:
        """Play on in one game. What goes wrong there must not stop all the others.

        A decision that an outage left unanswered is taken up again, one that is refused is not.
        """
        try:
            self._play(turn["game_id"], turn["seat"], turn["version"])
        except httpx.TransportError:
            raise
        except ApiError as error:  # the game has moved on, or the seat is another's now
            if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise
            self._log.info("refused", game_id=turn["game_id"], problem=error.problem)
        except Exception:  # noqa: BLE001  # whatever it was, the next turn is another game's
            self._log.exception("not played", game_id=turn["game_id"])
        else:
            return
        self._done.add(_key(turn["game_id"], turn["decision_id"]))

    def _play(self, game_id: str, seat: int, version: int) -> None:
        """Answer this decision and those that follow it, until somebody else is awaited."""
        path = f"/v1/games/{game_id}"
        state = self._client.get(path, min_version=version)
        while (decision_id := _asked(state, seat)) is not None:
            move = encode_move(self._bot(read_seen(state, seat), seat, self._random))
            answer = self._client.post(f"{path}/moves", {"move": move, "decision_id": decision_id})
            self._done.add(_key(game_id, decision_id))
            state = answer["state"]


def _asked(state: Document, seat: int) -> str | None:
    ids = [asked["decision_id"] for asked in state["awaiting"] if asked["seat"] == seat]
    return ids[0] if ids else None


def _key(game_id: str, decision_id: str) -> str:
    return f"{game_id} {decision_id}"
