"""`puertorico refold`: fold stale games anew after a fix, those named or all."""

from __future__ import annotations

import argparse

from services.stack import running


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", metavar="GAME", nargs="*", help="an id; none: all that are stale")
    running.configure(parser)


def run(arguments: argparse.Namespace) -> int:
    return running.run_projector("refold", arguments.data, *arguments.games)
