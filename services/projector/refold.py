"""Folds stale games anew after a fix: `python -m services.projector.refold [GAME ...]`, or all."""

import argparse
import logging
import sys
from uuid import UUID

import psycopg
from redis import RedisError

from services.projector.drain import OUTAGES
from services.projector.wiring import Wiring, from_environment
from shared.eventstore.fold import fold
from shared.readmodel.writer import Writer


class LogCut(Exception):
    """The log lacks what it once had; the sweeper, if one runs, begins the read models anew."""


def refold(wiring: Wiring, games: list[UUID]) -> list[str]:
    """Fold these games, or else all that are stale; a sentence for each that still fails."""
    failures = []
    for game_id in games or wiring.dead_letters.unresolved():
        try:
            if not _fold_anew(wiring, game_id):
                failures.append(f"There is no game {game_id}.")
        except OUTAGES:
            raise
        except Exception as error:  # noqa: BLE001  # what made it stale in the first place
            failures.append(f"{game_id} cannot be folded: {error!r}")
    return failures


def _fold_anew(wiring: Wiring, game_id: UUID) -> bool:
    """False if there is no such game.

    What was committed since its log was read, drains may have passed: the game was stale.
    """
    table, writer = fold(wiring.store.read(game_id)), Writer(wiring.redis)
    if table is None:
        return False
    while not writer.restore(wiring.generations.live(), table):
        if not (tail := wiring.store.read(game_id, after=table.version)):
            raise LogCut("The read models hold more of it than the log.")
        fold(tail, table)
    wiring.dead_letters.resolve(game_id)
    return True


def outage(error: psycopg.Error | RedisError) -> str:
    """Say in a sentence which server cannot be used, and why."""
    server = "PostgreSQL" if isinstance(error, psycopg.Error) else "Redis"
    said = " ".join(str(error).split())
    return f"{server} cannot be used ({said}): `puertorico doctor` looks for the reason."


def main() -> int:
    parser = argparse.ArgumentParser(prog="refold", description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", type=UUID)
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # a sentence tells of it
    try:
        failures = refold(from_environment(), parser.parse_args().games)
    except OUTAGES as error:
        failures = [outage(error)]
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
