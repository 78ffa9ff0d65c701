"""Brings the read models of a part up to date, batch by batch.

Data and checkpoint are moved by one script, which does nothing if the checkpoint is no longer where
it was read. So any number of drains may meet, or die, at any point: none holds the others up.
"""

import time
import traceback
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from uuid import UUID

import psycopg
import structlog
from msgspec import Struct
from redis import Redis, RedisError

from services.projector import metrics
from services.projector.attempts import ATTEMPTS, Attempts, batch_size
from services.projector.changes import Changes, Held, ask, find_changes
from services.projector.dead_letters import DeadLetters
from shared.eventstore.fold import fold
from shared.eventstore.records import Record, part_of
from shared.eventstore.store import EventStore
from shared.readmodel.documents import game_hash, places, stale_hash
from shared.readmodel.keys import Keys
from shared.readmodel.progress import checkpoints
from shared.readmodel.writer import Writer
from shared.table.state import Table

OUTAGES = (psycopg.Error, RedisError)
"""Failures that no event is to blame for."""
OTHERS_SECONDS = 0.05

_log = structlog.get_logger("projector")


class _Start(Struct, frozen=True):
    """Where a step begins: the checkpoints that it read, and how many attempts failed there."""

    games: int
    lists: int
    attempts: int

    @property
    def position(self) -> int:
        """After a failure between the two scripts the lists are behind the games."""
        return min(self.games, self.lists)


class Projector:
    """Safe for threads: it holds nothing but connections."""

    def __init__(self, redis: Redis, store: EventStore, dead_letters: DeadLetters) -> None:
        self._redis = redis
        self._store = store
        self._dead_letters = dead_letters
        self._writer = Writer(redis)

    def drain(self, part: int, live: Callable[[], Keys], seconds: float = 10) -> bool:
        """Take in what the log has. False if the time was over before its end was seen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self._step(part, live()):
                return True
        return False

    def checkpoints(self, keys: Keys) -> dict[int, int]:
        """How far the read models have come, by part."""
        return checkpoints(self._redis, keys)

    def fold_anew(self, game_id: UUID, keys: Keys) -> Table | None:
        """Make a game's documents from its whole log; then it is no longer stale."""
        table = fold(self._store.read(game_id))
        if table is not None:
            self._writer.project(keys, part_of(game_id), [game_hash(table)])
            self._writer.place(keys, part_of(game_id), [places(table)])
            self._dead_letters.resolve(game_id)
        return table

    def _step(self, part: int, keys: Keys) -> bool:
        """Take in the next batch, or learn more about why that fails. False: nothing was left.

        A batch that is not full is the last one: what is committed after it was read wakes anew,
        and a part that is busy does not keep the others waiting.
        """
        start = self._start(part, keys)
        size = batch_size(start.attempts)
        records = self._store.read_part(part, start.position, size)
        if not records:
            return False
        if size == 1:
            self._take_alone(part, keys, start, records[0])
            return True
        return not self._take(part, keys, start, records) or len(records) == size

    def _start(self, part: int, keys: Keys) -> _Start:
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.get(keys.checkpoint(part))
            pipe.hget(keys.list_checkpoints, str(part))
            pipe.hget(keys.attempts(part), "batch")
            games, lists, attempts = pipe.execute()
        return _Start(int(games or 0), int(lists or 0), int(attempts or 0))

    def _begin(self, part: int, keys: Keys, records: Sequence[Record]) -> dict[UUID, Held]:
        """Count the attempt, and fetch what is held of the games."""
        games = list(dict.fromkeys(record.game_id for record in records))
        with self._redis.pipeline(transaction=False) as pipe:
            for game_id in games:
                ask(pipe, keys, game_id)
            Attempts(self._redis, keys, part).count(pipe, records[-1].seq)
            rows = pipe.execute()[: len(games)]
        return {game_id: Held(*row) for game_id, row in zip(games, rows, strict=True)}

    def _take(self, part: int, keys: Keys, start: _Start, records: Sequence[Record]) -> bool:
        """Whether they are taken in."""
        attempts = Attempts(self._redis, keys, part)
        try:
            held = self._begin(part, keys, records)
            changes = find_changes(self._store, records, held)
            is_done = self._commit(part, keys, start, records, changes)
        except OUTAGES:
            attempts.uncount()
            raise
        except Exception:  # noqa: BLE001  # whatever events can do to the fold; it was counted
            metrics.FAILURES.inc()
            _log.warning("batch failed", part=part, events=len(records), exc_info=True)
            return False
        if not is_done:
            attempts.uncount()
        return is_done

    def _take_alone(self, part: int, keys: Keys, start: _Start, record: Record) -> None:
        """Try a suspect event, or give its game up."""
        attempts = Attempts(self._redis, keys, part)
        failed = attempts.begin_alone()
        if failed is None:  # another process tries it, or died of it
            time.sleep(OTHERS_SECONDS)
            return
        try:
            if failed >= ATTEMPTS:
                is_done = self._give_up(part, keys, start, record, attempts.last_error())
            else:
                changes = find_changes(self._store, [record], self._begin(part, keys, [record]))
                is_done = self._commit(part, keys, start, [record], changes)
        except OUTAGES:
            attempts.uncount_alone()
            raise
        except Exception as error:  # noqa: BLE001  # as in _take
            metrics.FAILURES.inc()
            attempts.failed("".join(traceback.format_exception_only(error)).strip())
            return
        if not is_done:
            attempts.uncount_alone()

    def _commit(
        self, part: int, keys: Keys, start: _Start, records: Sequence[Record], changes: Changes
    ) -> bool:
        """Games first, then lists. False if somebody moved a checkpoint: read all again."""
        last = records[-1].seq
        games = (start.games, max(start.games, last))
        lists = (start.lists, max(start.lists, last))
        if not self._writer.project(keys, part, changes.games, games, changes.held):
            return False
        _observe([record for record in records if record.seq > start.games])
        return self._writer.place(keys, part, changes.places, lists)

    def _give_up(self, part: int, keys: Keys, start: _Start, record: Record, error: str) -> bool:
        """Mark the event's game stale and go on; nothing else of the part waits for it."""
        self._dead_letters.add(record, error, ATTEMPTS)
        stale = stale_hash(record.game_id, record.version, error)
        metrics.DEAD_LETTERS.inc()
        _log.error("game given up", game_id=str(record.game_id), version=record.version, why=error)
        return self._commit(part, keys, start, [record], Changes([stale], {}, []))


def _observe(records: Sequence[Record]) -> None:
    now = datetime.now(UTC)
    metrics.EVENTS.inc(len(records))
    for record in records:
        metrics.SECONDS.observe((now - record.recorded_at).total_seconds())
