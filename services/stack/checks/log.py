"""The log: whether each game's chain verifies, and nothing is missing between the games."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from uuid import UUID

from services.stack.checks.finding import Finding
from shared.eventstore.fairness import recompute_draws
from shared.eventstore.pool import Pool
from shared.eventstore.records import Record
from shared.eventstore.store import EventStore
from shared.eventstore.verify import verify_chain

PROGRESS_SECONDS = 5

_GAMES = "select game_id from es.events where part = %s and version = 1"
_NEWEST = """
    select newest.game_id from generate_series(0, 255) as p(part), lateral (
        select game_id from es.events e where e.part = p.part::smallint
        order by seq desc limit 1) newest"""
_POSITIONS = "select count(*), coalesce(max(seq), 0) from es.events where part = %s"
_DISTRUST = "do not trust this game; compare it with a backup (docs/operations.md)"


def all_games(pool: Pool) -> list[UUID]:
    """Asked part by part, so that no single question takes long."""
    with pool.connection() as connection:
        return [game for part in range(256) for (game,) in connection.execute(_GAMES, (part,))]


def newest_games(pool: Pool) -> list[UUID]:
    """Of each part the game that something happened in last."""
    with pool.connection() as connection:
        return [game for (game,) in connection.execute(_NEWEST)]


def check_positions(pool: Pool) -> Iterator[Finding]:
    """A whole game taken out breaks no chain, but leaves a hole among its part's positions."""
    with pool.connection() as connection:
        counted = [
            (part, *connection.execute(_POSITIONS, (part,)).fetchall()[0]) for part in range(256)
        ]
    holed = [(part, last - count) for part, count, last in counted if count != last]
    for part, missing in holed:
        yield Finding(
            f"Of part {part} {missing} events are missing.", "restore the log from a backup"
        )
    if not holed:
        yield Finding("Positions have no holes: no event was taken out of the middle of the log.")


def check_games(pool: Pool, games: Sequence[UUID], *, draws: bool) -> Iterator[Finding]:
    """Every game's chain and, if wanted, the draws of those that are over."""
    store = EventStore(pool)
    events, sound, recomputed, said = 0, 0, 0, time.monotonic()
    for number, game in enumerate(games):
        if time.monotonic() - said > PROGRESS_SECONDS:
            said = time.monotonic()
            print(f"{number} of {len(games)} games checked ...", file=sys.stderr, flush=True)
        records = store.read(game)
        found = _chain(game, records) or (_draws(game, records) if draws else None)
        if found:
            yield found
        sound += found is None
        events += len(records)
        recomputed += bool(records) and records[-1].type == "seed_revealed"
    yield Finding(f"Games whose chains verify: {sound} ({events} events).")
    if draws:
        yield Finding(f"Games over, whose draws were recomputed: {recomputed}.")


def _chain(game: UUID, records: Sequence[Record]) -> Finding | None:
    if not records:
        return Finding(f"There is no game {game}.", "look for its id in GET /v1/games")
    if broken := verify_chain(records):
        return Finding(
            f"The log of game {game} was changed: event {broken.version}: {broken.reason}.",
            _DISTRUST,
        )
    return None


def _draws(game: UUID, records: Sequence[Record]) -> Finding | None:
    try:
        recomputed = recompute_draws(records)
    except Exception as error:  # noqa: BLE001  # whatever keeps this code from folding the game
        return Finding(
            f"Game {game} cannot be folded: {error!r}", "see why it is stale, and update"
        )
    if recomputed and (unfair := recomputed.unfair):
        return Finding(
            f"The draws of game {game} are not fair: event {unfair.version}: {unfair.reason}.",
            _DISTRUST,
        )
    return None
