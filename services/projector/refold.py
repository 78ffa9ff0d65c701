"""Folds stale games anew after a fix: `python -m services.projector.refold [GAME ...]`, or all."""

import argparse
import sys
from uuid import UUID

from services.projector.drain import OUTAGES
from services.projector.wiring import Wiring, from_environment


def refold(wiring: Wiring, games: list[UUID]) -> list[str]:
    """Fold these games, or else all that are stale; a sentence for each that still fails."""
    failures = []
    for game_id in games or wiring.dead_letters.unresolved():
        try:
            if wiring.projector.fold_anew(game_id, wiring.generations.live()) is None:
                failures.append(f"There is no game {game_id}.")
        except OUTAGES:
            raise
        except Exception as error:  # noqa: BLE001  # what made it stale in the first place
            failures.append(f"{game_id} cannot be folded: {error!r}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(prog="refold", description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", type=UUID)
    failures = refold(from_environment(), parser.parse_args().games)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
