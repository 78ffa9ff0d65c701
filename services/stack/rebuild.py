"""`puertorico rebuild`: make all read models anew, beside the live ones and in full use."""

from __future__ import annotations

import argparse

from services.stack import running


def configure(parser: argparse.ArgumentParser) -> None:
    running.configure(parser)


def run(arguments: argparse.Namespace) -> int:
    return running.run_projector("rebuild", arguments.data)
