"""`puertorico doctor`: say what is up, what is behind, what is stale, and if the log is sound."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from contextlib import closing
from uuid import UUID

import psycopg
from redis import Redis

from services.automation import address
from services.stack import running
from services.stack.checks import database, log, machine, projection, redis, web
from services.stack.checks.finding import Finding
from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.http.resources import redis_at


def configure(parser: argparse.ArgumentParser) -> None:
    running.configure(parser)
    parser.add_argument(
        "--url",
        type=address.address,
        help="where the API is (default: PUBLIC_URL, else where `puertorico up` has it); without"
        " a running stack, DATABASE_URL and REDIS_URL nothing else can be looked at",
    )
    games = parser.add_mutually_exclusive_group()
    games.add_argument("--game", type=UUID, help="verify the chain of this game only")
    games.add_argument(
        "--quick", action="store_true", help="verify only the newest games, at most 256"
    )
    parser.add_argument(
        "--draws", action="store_true", help="recompute the draws of the games that are over, too"
    )


def run(arguments: argparse.Namespace) -> int:
    """0 only if all is well. Each finding is a line, with what to do about it."""
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # it ends up in the findings
    ill = 0
    for finding in _findings(arguments):
        ill += not finding.is_well
        mark, advice = ("ok ", "") if finding.is_well else ("BAD", f" -> {finding.advice}")
        print(f"{mark}  {finding.text}{advice}", flush=True)
    print(f"\n{f'Not well: {ill}.' if ill else 'All is well.'}")
    return 1 if ill else 0


def _findings(arguments: argparse.Namespace) -> Iterator[Finding]:
    """What can be told of the API alone, if nothing else is known."""
    try:
        settings = Settings.from_env(running.environment(arguments.data))
    except running.NoServers as error:
        if not arguments.url:
            raise
        yield from web.check(arguments.url.rstrip("/"))
        yield Finding(
            f"Nothing but the API was looked at. {error}",
            "set DATABASE_URL and REDIS_URL, or name the folder of the running stack with --data",
        )
    else:
        yield from _examine(arguments, settings)


def _examine(arguments: argparse.Namespace, settings: Settings) -> Iterator[Finding]:
    yield from machine.check(arguments.data)
    yield from database.check(settings.database_url)
    yield from redis.check(settings)
    yield from web.check((arguments.url or settings.public_url).rstrip("/"))
    try:
        with (
            closing(Pool(settings.database_url, Role.QUERIES, max_size=1)) as pool,
            redis_at(settings.redis_url) as read_models,
        ):
            yield from _examine_log(arguments, pool, read_models)
    except psycopg.Error as error:
        said = " ".join(str(error).split())
        yield Finding(f"The log cannot be read: {said}", "see to PostgreSQL first")


def _examine_log(
    arguments: argparse.Namespace, pool: Pool, read_models: Redis
) -> Iterator[Finding]:
    yield from projection.check(pool, read_models)
    if arguments.game:
        games = [arguments.game]
    elif arguments.quick:
        games = log.newest_games(pool)
    else:
        yield from log.check_positions(pool)
        games = log.all_games(pool)
    yield from log.check_games(pool, games, draws=arguments.draws)
