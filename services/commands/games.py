"""Games at hand: their states kept in this process, since folding a long log anew takes long.

What is kept may be behind the log, never ahead of it: the append finds out. Snapshots are shared by
threads, so nobody changes one; a newer one takes its place.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from uuid import UUID

from shared.eventstore.fold import fold
from shared.eventstore.records import NewRecord, Record
from shared.eventstore.store import EventStore
from shared.http.problems import Problem
from shared.table.chance import Draws, draw_key
from shared.table.state import Table

_CAPACITY = 1000
"""Some ten kilobytes each."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game at one version, with the secret of its draws."""

    table: Table
    seed: bytes

    def draw(self, k: int, n: int) -> int:
        """Draw number k among n. The key is made only then, since most moves draw nothing."""
        nonces = [member.nonce for member in self.table.members]
        return Draws(draw_key(self.seed, self.table.game_id, nonces))(k, n)

    def then(self, records: Sequence[Record | NewRecord]) -> Snapshot:
        """Fold the next records on, beside this one."""
        table = fold(records, self.table.clone())
        assert table is not None
        return Snapshot(table, self.seed)


class Games:
    """The games used last in this process."""

    def __init__(self, store: EventStore, capacity: int = _CAPACITY) -> None:
        self._store = store
        self._capacity = capacity
        self._kept: OrderedDict[UUID, Snapshot] = OrderedDict()
        self._lock = Lock()

    def recall(self, game_id: UUID) -> Snapshot:
        """Give a game as last known here, perhaps behind the log, or refuse with 404."""
        with self._lock:
            if game_id in self._kept:
                self._kept.move_to_end(game_id)
                return self._kept[game_id]
        return self._load(game_id)

    def refresh(self, known: Snapshot) -> Snapshot:
        """Fold on what has been stored since; the same snapshot if that is nothing.

        Its own last record is read too: another hash there, or none, is another history (a database
        restored from a backup), and the game is folded anew.
        """
        game_id, version = UUID(known.table.game_id), known.table.version
        records = self._store.read(game_id, after=version - 1)
        if not records or records[0].hash.hex() != known.table.head_hash:
            return self._load(game_id)
        if len(records) == 1:
            return known
        return self.keep(known.then(records[1:]))

    def keep(self, snapshot: Snapshot) -> Snapshot:
        game_id = UUID(snapshot.table.game_id)
        with self._lock:
            self._kept[game_id] = snapshot
            self._kept.move_to_end(game_id)
            if len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return snapshot

    def _load(self, game_id: UUID) -> Snapshot:
        table = fold(self._store.read(game_id))
        if table is None:
            raise Problem("not_found")
        return self.keep(Snapshot(table, self._store.seed(game_id)))
