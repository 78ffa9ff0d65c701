"""How far the read models are behind the log, and which games have been given up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

from redis import Redis, RedisError

from services.stack.checks.finding import Finding
from shared.eventstore.pool import Pool
from shared.eventstore.store import EventStore
from shared.readmodel.generation import Generations
from shared.readmodel.progress import checkpoints

LATE_SECONDS = 10
"""Worker and sweeper both would have noticed long before."""
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
    behind, ahead = _distances(store, redis)
    if ahead:
        return Finding(
            f"The read models hold what the log has lost, in the parts {_listed(ahead)}.",
            "nothing, if a sweeper runs: it begins them anew, as after a restored backup",
        )
    if not behind:
        return Finding("The read models hold all that the log has.")
    waited = _seconds(store, redis, behind)
    time.sleep(SECOND_LOOK_SECONDS)
    later, _ = _distances(store, redis)
    text = (
        f"The read models lack {sum(behind.values())} events of {len(behind)} parts"
        f" ({_listed(behind)}), the oldest {waited:.0f} s old;"
        f" {SECOND_LOOK_SECONDS} s later they lack {sum(later.values())}."
    )
    if waited < LATE_SECONDS:
        return Finding(text)
    return Finding(text, "if the number does not fall, start or look at worker and sweeper")


def _distances(store: EventStore, redis: Redis) -> tuple[dict[int, int], list[int]]:
    """By part, how many events are missing, of those that lack any; and the parts that lead."""
    held = checkpoints(redis, Generations(redis).live())
    heads = store.heads()
    behind = {part: head - held[part] for part, head in heads.items() if head > held[part]}
    return behind, [part for part, head in heads.items() if head < held[part]]


def _seconds(store: EventStore, redis: Redis, behind: dict[int, int]) -> float:
    """The age of the oldest event that is missing."""
    held = checkpoints(redis, Generations(redis).live())
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
