"""The event store as the services see it: append to a game, create one, read, and retry safely."""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import LiteralString
from uuid import UUID

import msgspec
import psycopg
from prometheus_client import Histogram

from shared.eventstore.pool import Pool
from shared.eventstore.records import NO_HASH, NewRecord, Record, part_of

_SECONDS = Histogram(
    "puertorico_append_seconds",
    "Time of an append, by its result.",
    ["result"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)


class StoreError(Exception):
    """The store refused an append; nothing was written."""


class VersionConflict(StoreError):
    """The game has moved on: fold the tail and decide again, or answer 412."""

    def __init__(self, actual_version: int) -> None:
        super().__init__(f"the game is at version {actual_version}")
        self.actual_version = actual_version


class HashConflict(StoreError):
    """The version is right but the history is another: the caller's state is not this game's."""


class RequestKeyTaken(StoreError):
    """Another request with the same key was stored meanwhile: look it up with `find_request`."""


class StoredRequest(msgspec.Struct, frozen=True):
    """The request row written with an append. `answer` is opaque here, and given back as it was."""

    account_id: UUID
    key: str
    request_hash: bytes
    status: int
    answer: bytes


class StoredAnswer(msgspec.Struct, frozen=True):
    """What was answered to the first request with a key."""

    request_hash: bytes
    status: int
    answer: bytes


class Appended(msgspec.Struct, frozen=True):
    """Where a command's events stand; `replayed` when an earlier call had stored them already."""

    first_version: int
    last_version: int
    head_hash: bytes
    replayed: bool


class Head(msgspec.Struct, frozen=True):
    """The last event of a game; version 0 for a game that does not exist."""

    version: int
    hash: bytes


COLUMNS: LiteralString = (
    "part, seq, game_id, version, command_id, command_ix, type, record, hash, recorded_at"
)
READ: LiteralString = f"""
    select {COLUMNS} from es.events
    where part = %s and game_id = %s and version > %s order by version limit %s"""  # noqa: S608
READ_PART: LiteralString = f"""
    select {COLUMNS} from es.events where part = %s and seq > %s order by seq limit %s"""  # noqa: S608
PRIVATE = "select private from es.events where part = %s and game_id = %s and version = %s"
HEAD = """
    select version, hash from es.events
    where part = %s and game_id = %s order by version desc limit 1"""
HEADS = """
    select part, coalesce(
        (select seq from es.events e where e.part = p.part::smallint order by seq desc limit 1), 0)
    from generate_series(0, 255) as p(part)"""
PURGE = """
    delete from es.requests where (account_id, key) in (
        select account_id, key from es.requests where created_at < clock_timestamp() - %s
        order by created_at limit %s)"""
PURGED_AT_ONCE = 1000
APPEND = """
    select * from es.append(%s::smallint, %s, %s, %s, %s, string_to_array(%s, E'\\n'), %s::jsonb,
                            (%s, %s, %s, %s, %s)::es.request)"""
CREATE_GAME = """
    select * from es.create_game(%s::smallint, %s, %s, string_to_array(%s, E'\\n'), %s, %s,
                                 %s::jsonb, (%s, %s, %s, %s, %s)::es.request)"""


class EventStore:
    """Plain calls, each one round trip and one transaction."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def append(  # noqa: PLR0913
        self,
        game_id: UUID,
        expected_version: int,
        previous_hash: bytes,
        command_id: bytes,
        records: Sequence[NewRecord],
        *,
        private: dict[str, str] | None = None,
        request: StoredRequest | None = None,
    ) -> Appended:
        """Continues a game, or says where the same command's events already stand.

        When replayed, answer what `find_request` has: it may belong to another body (422), or be
        purged already, and then the events themselves are the answer.
        """
        position = (part_of(game_id), game_id, expected_version, previous_hash, command_id)
        return self._write(APPEND, (*position, _lines(records), *_aside(private, request)))

    def create_game(  # noqa: PLR0913
        self,
        game_id: UUID,
        command_id: bytes,
        records: Sequence[NewRecord],
        seed: bytes,
        *,
        invitation_code: str | None = None,
        private: dict[str, str] | None = None,
        request: StoredRequest | None = None,
    ) -> Appended:
        """The first events of a game, with its seed and, for a private game, its invitation.

        A retry comes with another game id, so it is the request's key that makes it safe.
        """
        game = (part_of(game_id), game_id, command_id, _lines(records), seed, invitation_code)
        return self._write(CREATE_GAME, (*game, *_aside(private, request)))

    def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Record]:
        """The game's records above version `after`; none for a game that does not exist."""
        return self._records(READ, (part_of(game_id), game_id, after, limit))

    def read_part(self, part: int, after_seq: int, limit: int) -> list[Record]:
        """The part's records in order of commit. Positions have no holes: a hole is a fault."""
        return self._records(READ_PART, (part, after_seq, limit))

    def private(self, game_id: UUID, version: int) -> dict[str, str]:
        """What was stored beside this event. LookupError for an event that does not exist."""
        with self._pool.connection() as connection:
            row = connection.execute(PRIVATE, (part_of(game_id), game_id, version)).fetchone()
        if row is None:
            raise LookupError(f"no version {version} of game {game_id}")
        return row[0] or {}

    def head(self, game_id: UUID) -> Head:
        with self._pool.connection() as connection:
            row = connection.execute(HEAD, (part_of(game_id), game_id)).fetchone()
        return Head(0, NO_HASH) if row is None else Head(*row)

    def heads(self) -> dict[int, int]:
        """The last position of each of the 256 parts, 0 where there is nothing yet."""
        with self._pool.connection() as connection:
            return dict(connection.execute(HEADS).fetchall())

    def seed(self, game_id: UUID) -> bytes:
        """The secret of a game's draws. LookupError for a game that does not exist."""
        with self._pool.connection() as connection:
            row = connection.execute(
                "select seed from es.seeds where game_id = %s", (game_id,)
            ).fetchone()
        if row is None:
            raise LookupError(f"no game {game_id}")
        return bytes(row[0])

    def invitation(self, game_id: UUID) -> str | None:
        """The code that a private game is joined with; None for any other game."""
        with self._pool.connection() as connection:
            row = connection.execute(
                "select code from es.invitations where game_id = %s", (game_id,)
            ).fetchone()
        return None if row is None else str(row[0])

    def find_request(self, account_id: UUID, key: str) -> StoredAnswer | None:
        with self._pool.connection() as connection:
            row = connection.execute(
                "select request_hash, status, answer from es.requests"
                " where account_id = %s and key = %s",
                (account_id, key),
            ).fetchone()
        return None if row is None else StoredAnswer(*row)

    def purge_requests(self, older_than: timedelta) -> int:
        """Forgets answers that no client will ask for again; says how many.

        Some at a time, so that no number of them takes longer than a statement may.
        """
        forgotten = 0
        while True:
            with self._pool.connection() as connection:
                count = connection.execute(PURGE, (older_than, PURGED_AT_ONCE)).rowcount
            forgotten += count
            if count < PURGED_AT_ONCE:
                return forgotten

    def _write(self, query: LiteralString, parameters: tuple[object, ...]) -> Appended:
        begin, result = time.perf_counter(), "failed"
        try:
            appended = self._call(query, parameters)
            result = "replayed" if appended.replayed else "stored"
        except StoreError as refusal:
            result = type(refusal).__name__
            raise
        finally:
            _SECONDS.labels(result).observe(time.perf_counter() - begin)
        return appended

    def _call(self, query: LiteralString, parameters: tuple[object, ...]) -> Appended:
        try:
            with self._pool.connection() as connection:
                [row] = connection.execute(query, parameters)
        except psycopg.Error as error:
            if refusal := _refusal(error):
                raise refusal from error
            raise
        return Appended(*row)

    def _records(self, query: LiteralString, parameters: tuple[object, ...]) -> list[Record]:
        with self._pool.connection() as connection:
            return [Record(*row) for row in connection.execute(query, parameters)]


def _lines(records: Sequence[NewRecord]) -> str:
    """One a line, since none holds a line's end: psycopg takes long to write an array out."""
    return "\n".join(record.text for record in records)


def _aside(private: dict[str, str] | None, request: StoredRequest | None) -> tuple[object, ...]:
    """What is written beside the events; a request row of nulls is no request."""
    row = (None,) * 5 if request is None else msgspec.structs.astuple(request)
    return (None if private is None else msgspec.json.encode(private).decode(), *row)


def _refusal(error: psycopg.Error) -> StoreError | None:
    match error.sqlstate:
        case "PR409":
            return VersionConflict(int(error.diag.message_detail or 0))
        case "PR412":
            return HashConflict(error.diag.message_primary)
        case "PR423":
            return RequestKeyTaken(error.diag.message_primary)
        case _:
            return None
