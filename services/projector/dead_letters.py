"""Events that could not be taken in: kept in Postgres until their game has been folded anew."""

from uuid import UUID

from shared.eventstore.pool import Pool
from shared.eventstore.records import Record

_ADD = """
    insert into es.dead_letters (part, game_id, seq, version, error, attempts)
    select %(part)s, %(game_id)s, %(seq)s, %(version)s, %(error)s, %(attempts)s
    where not exists (
        select from es.dead_letters where game_id = %(game_id)s and resolved_at is null)"""
_RESOLVE = """
    update es.dead_letters set resolved_at = clock_timestamp()
    where game_id = %s and resolved_at is null"""


class DeadLetters:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def add(self, record: Record, error: str, attempts: int) -> None:
        """Keep it, unless the game has one that is unresolved: that tells the same story."""
        row = {
            "part": record.part,
            "game_id": record.game_id,
            "seq": record.seq,
            "version": record.version,
            "error": error,
            "attempts": attempts,
        }
        with self._pool.connection() as connection:
            connection.execute(_ADD, row)

    def resolve(self, game_id: UUID) -> None:
        with self._pool.connection() as connection:
            connection.execute(_RESOLVE, (game_id,))

    def unresolved(self) -> list[UUID]:
        """The games that are stale, each once, the oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "select game_id from es.dead_letters where resolved_at is null order by id"
            )
            return [game_id for (game_id,) in rows]
