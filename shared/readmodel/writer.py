"""Writing: games and lists, each by one script that moves its checkpoint in the same step."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

from redis import Redis
from redis.typing import EncodableT

from shared.readmodel.documents import GameHash, Places
from shared.readmodel.keys import Keys

HERE = Path(__file__).parent

Move = tuple[int, int]
"""The checkpoint that was read, and the one to set."""


def script(name: str) -> str:
    """The text of a script beside this module."""
    return (HERE / name).read_text("utf-8")


class Writer:
    """False means that Redis no longer holds what had been read there: nothing was written."""

    def __init__(self, redis: Redis) -> None:
        self._project = redis.register_script(script("project.lua"))
        self._place = redis.register_script(script("place.lua"))

    def project(
        self,
        keys: Keys,
        part: int,
        games: Sequence[GameHash],
        move: Move | None = None,
        held: Mapping[UUID, int] | None = None,
    ) -> bool:
        """Write games of one part; without a move only the games.

        `held` are games that need no writing because Redis has them at this version. If Redis was
        emptied since, the checkpoint may be where it was and yet must not pass them.
        """
        held = held or {}
        names = [keys.checkpoint(part), keys.attempts(part), keys.alone(part)]
        names += [keys.game(game_id) for game_id in held]
        names += [keys.game(game.game_id) for game in games]
        arguments: list[EncodableT] = [*(move or ("", "")), len(held), *held.values()]
        for game in games:
            flat = [item for field in game.fields.items() for item in field]
            arguments += [game.version, game.seconds, len(flat), *flat]
        return bool(self._project(names, arguments))

    def place(
        self, keys: Keys, part: int, games: Sequence[Places], move: Move | None = None
    ) -> bool:
        """Put games of one part into the lists; without a move only the games."""
        names = [keys.list_checkpoints, keys.placed, keys.documents, keys.list_prefix]
        arguments: list[EncodableT] = [part, *(move or ("", ""))]
        for game in games:
            flat = [item for document in game.documents.items() for item in document]
            arguments += [str(game.game_id), game.version, _pairs(game), len(flat), *flat]
        return bool(self._place(names, arguments))


def _pairs(game: Places) -> str:
    return " ".join(f"{name} {member}" for name, member in game.members.items())
