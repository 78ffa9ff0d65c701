"""From the log's records to what is to be written of their games."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct
from redis.client import Pipeline

from shared.eventstore.fold import fold
from shared.eventstore.records import Record
from shared.eventstore.store import EventStore
from shared.readmodel.documents import STAMP, GameHash, Places, game_hash, places
from shared.readmodel.keys import Keys
from shared.table.state import Table
from shared.wire.tables import decode_table


class Changes(Struct, frozen=True):
    """The games whose documents are behind, what is held of the others, and the places of all."""

    games: list[GameHash] = []
    held: dict[UUID, int] = {}
    """Game → the version that its hash must still have when the checkpoint passes it."""
    stale: dict[UUID, int] = {}
    """Game → the version that the checkpoint passes, if the game is stale still."""
    places: list[Places] = []


class Held(NamedTuple):
    """What is held of a game, in the order of the fields that are asked for."""

    stamp: bytes | None
    stale: bytes | None
    table: bytes | None

    @property
    def base(self) -> Table | None:
        """The table to fold on; None if there is none that this code can read."""
        if self.table is None or self.stamp != STAMP.encode():
            return None
        return decode_table(self.table)


def ask(pipe: Pipeline, keys: Keys, game_id: UUID) -> None:
    """Put the question for a Held into the pipeline."""
    pipe.hmget(keys.game(game_id), ["stamp", "stale", "table"])


def find_changes(
    store: EventStore, records: Sequence[Record], held: Mapping[UUID, Held]
) -> Changes:
    """Fold the records on what is held. A stale game stays as it is until it is folded anew."""
    by_game: defaultdict[UUID, list[Record]] = defaultdict(list)
    for record in records:
        by_game[record.game_id].append(record)
    changes = Changes()
    for game_id, own in by_game.items():
        if held[game_id].stale is not None:
            changes.stale[game_id] = own[-1].version
            continue
        base = held[game_id].base
        held_version = base.version if base else 0
        table = _fold(store, own, base)
        if table.version > held_version:
            changes.games.append(game_hash(table))
        else:
            changes.held[game_id] = held_version
        changes.places.append(places(table))
    return changes


def _fold(store: EventStore, records: Sequence[Record], base: Table | None) -> Table:
    """The table after the records. If events before them are missing, the whole game is read."""
    held = base.version if base else 0
    if held < records[0].version - 1:
        table = fold(store.read(records[0].game_id))
    else:
        table = fold([record for record in records if record.version > held], base)
    assert table is not None
    return table
