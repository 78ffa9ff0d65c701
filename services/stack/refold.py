"""`puertorico refold`: fold stale games anew after a fix, those named or all."""

from __future__ import annotations

import argparse
from uuid import UUID

from services.stack import running


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "games", metavar="GAME", nargs="*", type=UUID, help="an id; none: all that are stale"
    )
    running.configure(parser)


def run(arguments: argparse.Namespace) -> int:
    games = [str(game) for game in arguments.games]
    code = running.run_projector("refold", arguments.data, *games)
    if code == 0:
        print(f"Folded anew: {', '.join(games)}." if games else "No game is stale now.")
    return code
