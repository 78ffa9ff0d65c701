"""How far the read models are behind the log, and which games have been given up."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from redis import Redis, RedisError

from services.stack.checks.finding import Finding
from shared.eventstore.pool import Pool
from shared.eventstore.store import EventStore
from shared.readmodel.generation import Generations
from shared.readmodel.progress import checkpoints

LATE_SECONDS = 10
"""Worker and sweeper both would have noticed long before."""
STILL_SECONDS = 3
"""At work they have by then begun with whatever waits, and do something in every second."""
SECOND_LOOK_SECONDS = 2
SHOWN = 20

_STALE = """
    select game_id, version, error, created_at from es.dead_letters
    where resolved_at is null order by id"""


def check(pool: Pool, redis: Redis) -> Iterator[Finding]:
    try:
        yield _lag(EventStore(pool), redis)
    except RedisError as error:
        yield Finding(f"The read models cannot be looked at: {error}", "see to Redis first")
    yield from _stale(pool)


def _lag(store: EventStore, redis: Redis) -> Finding:
    """Whoever is behind is looked at twice, to tell who is late from who stands still."""
    held, heads = _held(redis), store.heads()
    if ahead := [part for part, head in heads.items() if head < held[part]]:
        return Finding(
            f"The read models hold what the log has lost, in the parts {_listed(ahead)}.",
            "nothing, if a sweeper runs: it begins them anew, as after a restored backup",
        )
    behind = {part: head - held[part] for part, head in heads.items() if head > held[part]}
    if not behind:
        return Finding("The read models hold all that the log has.")
    lacking, waited = sum(behind.values()), _seconds(store, held, behind)
    time.sleep(SECOND_LOOK_SECONDS)
    later = _held(redis)
    left = sum(max(0, heads[part] - later[part]) for part in behind)
    text = (
        f"The read models lack {lacking} events of {len(behind)} parts"
        f" ({_listed(behind)}), the oldest {waited:.0f} s old;"
        f" {SECOND_LOOK_SECONDS} s later they lack {left} of these."
    )
    if left == lacking and waited >= STILL_SECONDS:
        return Finding(text, "start worker and sweeper, or see their logs for why they stand still")
    if left and waited >= LATE_SECONDS:
        return Finding(
            text, "wait until they have caught up; if it comes often, start more workers"
        )
    return Finding(text)


def _held(redis: Redis) -> Mapping[int, int]:
    """By part, up to where the read models hold the log."""
    return checkpoints(redis, Generations(redis).live())


def _seconds(store: EventStore, held: Mapping[int, int], behind: Iterable[int]) -> float:
    """The age of the oldest event that is missing."""
    first = [record for part in behind for record in store.read_part(part, held[part], 1)]
    oldest = min((record.recorded_at for record in first), default=datetime.now(UTC))
    return (datetime.now(UTC) - oldest).total_seconds()


def _stale(pool: Pool) -> Iterator[Finding]:
    with pool.connection() as connection:
        rows = connection.execute(_STALE).fetchall()
    if not rows:
        yield Finding("No game is stale.")
    for game, version, error, since in rows[:SHOWN]:
        yield Finding(
            f"Game {game} is stale since {since:%Y-%m-%d %H:%M} UTC: event {version}: {error}",
            f"after an update that mends it, run `puertorico refold {game}`",
        )
    if more := rows[SHOWN:]:
        yield Finding(f"{len(more)} more games are stale.", "run `puertorico refold`")


def _listed(parts: dict[int, int] | list[int]) -> str:
    shown = ", ".join(map(str, list(parts)[:SHOWN]))
    return shown if len(parts) <= SHOWN else f"{shown} and others"
