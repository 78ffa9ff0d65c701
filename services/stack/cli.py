"""The `puertorico` command: one subcommand per module of this table."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version

from services.automation import arena, bot, demo, record, replay, verify
from services.stack import doctor, migrate, rebuild, refold, up
from services.stack.errors import StackError

COMMANDS = {
    "up": up,
    "demo": demo,
    "bot": bot,
    "arena": arena,
    "record": record,
    "replay": replay,
    "verify": verify,
    "doctor": doctor,
    "rebuild": rebuild,
    "refold": refold,
    "migrate": migrate,
}
"""A module has `configure(parser)`, `run(arguments) -> exit code` and its summary as docstring."""


def main(argv: Sequence[str] | None = None) -> int:
    """What goes wrong is said in one sentence, on standard error, with exit code 1.

    Ctrl-C ends a command quietly.
    """
    parser = argparse.ArgumentParser(prog="puertorico", description="Puerto Rico as a REST API")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('puertorico')}")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        description = (module.__doc__ or "").partition(": ")[2].strip()
        summary = description.partition("\n\n")[0]
        subparser = subparsers.add_parser(name, help=summary, description=description)
        module.configure(subparser)
        subparser.set_defaults(run=module.run)
    arguments = parser.parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except StackError as error:
        print(f"puertorico: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT  # as shells tell it
