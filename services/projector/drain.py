"""Brings the read models of parts up to date, batch by batch, several parts in one round trip.

Data and checkpoint are moved by one script, which does nothing if the checkpoint is no longer where
it was read. So any number of drains may meet, or die, at any point: none holds the others up.
"""

import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from services.projector.feed import Feed
from shared.eventstore.records import Record
from shared.eventstore.store import EventStore
from shared.readmodel.documents import stale_hash
from shared.readmodel.keys import Keys
from shared.readmodel.progress import checkpoints
from shared.readmodel.writer import Placement, Projection, Writer

OUTAGES = (psycopg.Error, RedisError)
"""Failures that no event is to blame for."""
OTHERS_SECONDS = 0.05

_log = structlog.get_logger("projector")


class _Batch(Struct):
    """The next events of a part, where it stands, and how many attempts failed there."""

    part: int
    games: int
    lists: int
    attempts: int
    size: int
    records: Sequence[Record] = ()

    @property
    def position(self) -> int:
        """After a failure between the two scripts the lists are behind the games."""
        return min(self.games, self.lists)

    @property
    def last(self) -> int:
        return self.records[-1].seq


class Projector:
    """Safe for threads: it holds nothing but connections."""

    def __init__(
        self, redis: Redis, store: EventStore, feed: Feed, dead_letters: DeadLetters
    ) -> None:
        self._redis = redis
        self._store = store
        self._feed = feed
        self._dead_letters = dead_letters
        self._writer = Writer(redis)

    def drain(self, part: int, live: Callable[[], Keys], seconds: float = 10) -> bool:
        """Take in what the log has. False if the time was over before its end was seen."""
        return not self.drain_parts([part], live, seconds)

    def drain_parts(
        self, parts: Iterable[int], live: Callable[[], Keys], seconds: float = 10
    ) -> list[int]:
        """The same for several, in as many round trips as for one; gives back what is left."""
        end = time.monotonic() + seconds
        left = list(parts)
        while left and time.monotonic() < end:
            left = self._step(left, live())
        return left

    def checkpoints(self, keys: Keys) -> dict[int, int]:
        """How far the read models have come, by part."""
        return checkpoints(self._redis, keys)

    def _step(self, parts: Sequence[int], keys: Keys) -> list[int]:
        """Take in the next batch of each, or learn more about why that fails; says where to go on.

        A batch that is not full is the last one: what is committed after it was read wakes anew,
        and a part that is busy does not keep the others waiting. Where an attempt has failed, or
        has not ended yet, the part is tried apart from the others.
        """
        batches = self._read(parts, keys)
        done = self._take(keys, [batch for batch in batches if batch.attempts <= 0])
        for suspect in (batch for batch in batches if batch.attempts > 0):
            if suspect.size == 1:
                self._take_alone(keys, suspect)
            else:
                done |= self._take(keys, [suspect])
        return [
            batch.part
            for batch in batches
            if batch.part not in done or len(batch.records) == batch.size
        ]

    def _read(self, parts: Sequence[int], keys: Keys) -> list[_Batch]:
        """Of the parts that have any."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hmget(keys.list_checkpoints, [str(part) for part in parts])
            for part in parts:
                pipe.get(keys.checkpoint(part))
                pipe.hget(keys.attempts(part), "batch")
            lists, *others = [*pipe.execute()]
        batches = []
        for part, *held in zip(parts, others[::2], lists, others[1::2], strict=True):
            games, place, attempts = (int(value or 0) for value in held)
            size = batch_size(attempts, len(parts))
            batches.append(_Batch(part, games, place, attempts, size))
        found = self._feed.read({batch.part: (batch.position, batch.size) for batch in batches})
        for batch in batches:
            batch.records = found.get(batch.part, ())
        return [batch for batch in batches if batch.records]

    def _begin(self, keys: Keys, batches: Sequence[_Batch]) -> dict[UUID, Held]:
        """Count the attempts, and fetch what is held of the games."""
        games = list(dict.fromkeys(record.game_id for batch in batches for record in batch.records))
        with self._redis.pipeline(transaction=False) as pipe:
            for game_id in games:
                ask(pipe, keys, game_id)
            for batch in batches:
                Attempts(pipe, keys, batch.part).count(batch.last)
            rows = pipe.execute()[: len(games)]
        return {game_id: Held(*row) for game_id, row in zip(games, rows, strict=True)}

    def _take(self, keys: Keys, batches: Sequence[_Batch]) -> set[int]:
        """The parts whose batches are taken in."""
        if not batches:
            return set()
        try:
            held = self._begin(keys, batches)
            found = {batch.part: self._find(batch, held) for batch in batches}
            done = self._commit(
                keys,
                [(batch, changes) for batch in batches if (changes := found[batch.part])],
            )
        except OUTAGES:
            self._uncount(keys, [batch.part for batch in batches])
            raise
        except Exception:  # noqa: BLE001  # as in _find, but of which part is not known
            _note_failure(batches)
            return set()
        self._uncount(
            keys, [part for part, changes in found.items() if changes and part not in done]
        )
        return done

    def _find(self, batch: _Batch, held: Mapping[UUID, Held]) -> Changes | None:
        """None if its events failed."""
        try:
            return find_changes(self._store, batch.records, held)
        except OUTAGES:
            raise
        except Exception:  # noqa: BLE001  # whatever events can do to the fold; it was counted
            _note_failure([batch])
            return None

    def _uncount(self, keys: Keys, parts: Sequence[int]) -> None:
        with self._redis.pipeline(transaction=False) as pipe:
            for part in parts:
                Attempts(pipe, keys, part).uncount()
            pipe.execute()

    def _take_alone(self, keys: Keys, batch: _Batch) -> None:
        """Try a suspect event, or give its game up."""
        attempts = Attempts(self._redis, keys, batch.part)
        failed = attempts.begin_alone()
        if failed is None:  # another process tries it, or died of it
            time.sleep(OTHERS_SECONDS)
            return
        try:
            if failed >= ATTEMPTS:
                changes = self._give_up(batch.records[0], attempts.last_error())
            else:
                changes = find_changes(self._store, batch.records, self._begin(keys, [batch]))
            done = self._commit(keys, [(batch, changes)])
        except OUTAGES:
            attempts.uncount_alone()
            raise
        except Exception as error:  # noqa: BLE001  # as in _find
            metrics.FAILURES.inc()
            attempts.failed("".join(traceback.format_exception_only(error)).strip())
            return
        if not done:
            attempts.uncount_alone()

    def _commit(self, keys: Keys, found: Sequence[tuple[_Batch, Changes]]) -> set[int]:
        """Games first, then lists. Not done where somebody moved a checkpoint: read all again."""
        answers = self._writer.project(
            keys,
            [
                Projection(
                    batch.part,
                    changes.games,
                    _move(batch.games, batch),
                    held=changes.held,
                    stale=changes.stale,
                )
                for batch, changes in found
            ],
        )
        written = [pair for pair, is_written in zip(found, answers, strict=True) if is_written]
        for batch, _ in written:
            _observe([record for record in batch.records if record.seq > batch.games])
        answers = self._writer.place(
            keys,
            [
                Placement(batch.part, changes.places, _move(batch.lists, batch))
                for batch, changes in written
            ],
        )
        return {batch.part for (batch, _), placed in zip(written, answers, strict=True) if placed}

    def _give_up(self, record: Record, error: str) -> Changes:
        """Mark the event's game stale and go on; nothing else of the part waits for it."""
        self._dead_letters.add(record, error, ATTEMPTS)
        stale = stale_hash(record.game_id, record.version, error)
        metrics.DEAD_LETTERS.inc()
        _log.error("game given up", game_id=str(record.game_id), version=record.version, why=error)
        return Changes([stale])


def _move(checkpoint: int, batch: _Batch) -> tuple[int, int]:
    """From there to the batch's end; never back."""
    return checkpoint, max(checkpoint, batch.last)


def _note_failure(batches: Sequence[_Batch]) -> None:
    """With the error that is being handled."""
    metrics.FAILURES.inc()
    events = {batch.part: len(batch.records) for batch in batches}
    _log.warning("batch failed", events_by_part=events, exc_info=True)


def _observe(records: Sequence[Record]) -> None:
    now = datetime.now(UTC)
    metrics.EVENTS.inc(len(records))
    for record in records:
        metrics.SECONDS.observe((now - record.recorded_at).total_seconds())
