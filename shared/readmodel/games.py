"""Reading one game: its ready-made documents, or, where they are missing or behind, the log."""

from collections.abc import Sequence
from uuid import UUID

import structlog
from msgspec import Struct, json
from redis import Redis, RedisError
from redis.client import Pipeline

from shared.eventstore.fold import fold
from shared.eventstore.records import part_of
from shared.eventstore.store import EventStore
from shared.readmodel.documents import STAMP, Access, game_hash
from shared.readmodel.generation import Generations
from shared.readmodel.single_flight import SingleFlight
from shared.readmodel.writer import Projection, Writer
from shared.table.state import Table
from shared.wire.tables import decode_table

HEADER = ("v", "stamp", "stale", "access")

_decode_access = json.Decoder(Access).decode
_log = structlog.get_logger("readmodel")


class GameUnreadable(Exception):
    """The log has the game, but this code cannot fold it; it can be read again after a fix."""


class HeldGame(Struct, frozen=True):
    """What Redis holds of a game, of one version."""

    version: int
    access: Access
    documents: dict[str, bytes]
    """Of the fields that were asked for, those that there are."""


class GameReader:
    """Asks in a pipeline of the caller's, so that a read and its token are one round trip.

    `ask` puts the question, `answer` reads what came; None is a miss, never a 404: then `catch_up`
    folds the log, and None from that says that there is no such game.
    """

    def __init__(self, redis: Redis, store: EventStore) -> None:
        self._redis = redis
        self._store = store
        self._generations = Generations(redis)
        self._writer = Writer(redis)
        self._flights: SingleFlight[UUID, Table | None] = SingleFlight()

    def ask(self, pipe: Pipeline, game_id: UUID, fields: Sequence[str]) -> None:
        """Put the question for these fields into the pipeline."""
        pipe.hmget(self._generations.live().game(game_id), [*HEADER, *fields])

    def answer(self, row: Sequence[bytes | None], fields: Sequence[str]) -> HeldGame | None:
        """Read what the pipeline brought; None for what is missing, stale or of other code."""
        version, stamp, stale, access, *values = row
        if version is None or access is None or stamp != STAMP.encode() or stale is not None:
            return None
        documents = {
            field: value for field, value in zip(fields, values, strict=True) if value is not None
        }
        return HeldGame(int(version), _decode_access(access), documents)

    def catch_up(self, game_id: UUID, at_least: int = 0) -> Table | None:
        """The game at the head of its log, which is written to Redis if that was behind.

        Works without Redis. Requests for the same game share one fold, and the table, which must
        not be changed. Below `at_least` only when the log itself is. Raises GameUnreadable.
        """
        table, is_ours = self._flights.run(game_id, self._catch_up)
        if not is_ours and (table is None or table.version < at_least):
            # That flight may have read the log before what the caller knows of was in it.
            table, _ = self._flights.run(game_id, self._catch_up)
        return table

    def _catch_up(self, game_id: UUID) -> Table | None:
        base, is_stale = self._held(game_id)
        records = self._store.read(game_id, after=base.version if base else 0)
        try:
            table = fold(records, base)
        except Exception as error:
            raise GameUnreadable(game_id) from error
        if table is not None and records:
            self._fill(table, is_stale)
        return table

    def _held(self, game_id: UUID) -> tuple[Table | None, bool]:
        """The table that Redis holds, and whether it holds instead that the game is stale."""
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                self.ask(pipe, game_id, ["table"])
                [row] = pipe.execute()
        except RedisError:
            return None, False
        held = self.answer(row, ["table"])
        base = decode_table(held.documents["table"]) if held else None
        return base, row[HEADER.index("stale")] is not None

    def _fill(self, table: Table, is_stale: bool) -> None:
        """The projector will place it, unless it has passed its events since it is stale."""
        try:
            keys = self._generations.live()
            if is_stale:
                self._writer.restore(keys, table)
            else:
                game = game_hash(table)
                self._writer.project(keys, [Projection(part_of(game.game_id), [game])])
        except RedisError:
            _log.warning("read model not filled", game_id=table.game_id)
