"""Writing: games and lists, each by one script that moves its checkpoint in the same step."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import Struct
from redis import Redis
from redis.typing import EncodableT

from shared.eventstore.records import part_of
from shared.readmodel.documents import GameHash, Places, game_hash, places
from shared.readmodel.keys import Keys
from shared.readmodel.scripts import Call, PipelinedScript, script
from shared.table.state import Table

Move = tuple[int, int]
"""The checkpoint that was read, and the one to set."""


class Projection(Struct, frozen=True):
    """Games of one part, to be written as one; without a move of the checkpoint it is one game.

    `held` are games that need no writing because Redis has them at this version. If Redis was
    emptied since, the checkpoint may be where it was and yet must not pass them. `stale` are games
    that the checkpoint passes up to this version, unless they were folded anew since.
    """

    part: int
    games: Sequence[GameHash]
    move: Move | None = None
    held: Mapping[UUID, int] = {}
    stale: Mapping[UUID, int] = {}


class Placement(Struct, frozen=True):
    """Games of one part, to be put into the lists as one."""

    part: int
    games: Sequence[Places]
    move: Move | None = None


class Writer:
    """In one round trip for any number of parts, of which none depends on the others.

    False means that Redis no longer holds what had been read there, or a newer one of the game that
    moves no checkpoint; nothing of the part is written.
    """

    def __init__(self, redis: Redis) -> None:
        self._project = PipelinedScript(redis, script("project.lua"))
        self._place = PipelinedScript(redis, script("place.lua"))

    def project(self, keys: Keys, parts: Sequence[Projection]) -> list[bool]:
        """Write games; says for each part whether that was done."""
        return [bool(answer) for answer in self._project([_project(keys, one) for one in parts])]

    def place(self, keys: Keys, parts: Sequence[Placement]) -> list[bool]:
        """Put games into the lists, likewise."""
        return [bool(answer) for answer in self._place([_place(keys, one) for one in parts])]

    def restore(self, keys: Keys, table: Table) -> bool:
        """Write a game that was stale, and place it: the checkpoints have passed its events.

        False if the log has more of it, which was passed too.
        """
        game = game_hash(table)
        part = part_of(game.game_id)
        [is_newest] = self.project(keys, [Projection(part, [game])])
        return is_newest and all(self.place(keys, [Placement(part, [places(table)])]))


def _project(keys: Keys, one: Projection) -> Call:
    names = [keys.checkpoint(one.part), keys.attempts(one.part), keys.alone(one.part)]
    names += [keys.game(game_id) for game_id in (*one.held, *one.stale)]
    names += [keys.game(game.game_id) for game in one.games]
    arguments: list[EncodableT] = [*(one.move or ("", "")), len(one.held), len(one.stale)]
    arguments += [*one.held.values(), *one.stale.values()]
    for game in one.games:
        arguments += [game.version, game.seconds, 2 * len(game.fields)]
        for field in game.fields.items():
            arguments += field
    return names, arguments


def _place(keys: Keys, one: Placement) -> Call:
    names = [keys.list_checkpoints, keys.placed, keys.documents, keys.list_prefix]
    arguments: list[EncodableT] = [one.part, *(one.move or ("", ""))]
    for game in one.games:
        arguments += [str(game.game_id), game.version, _pairs(game), 2 * len(game.documents)]
        for document in game.documents.items():
            arguments += document
    return names, arguments


def _pairs(game: Places) -> str:
    return " ".join(f"{name} {member}" for name, member in game.members.items())
