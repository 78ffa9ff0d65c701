"""`puertorico rebuild`: make all read models anew, beside the live ones and in full use."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from services.stack.data_directory import running_servers


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("data"),
        help="the data of the running stack; not needed with DATABASE_URL and REDIS_URL",
    )


def run(arguments: argparse.Namespace) -> int:
    """The projector does it, in a process of its own: the stack may not import it."""
    environment = dict(os.environ)
    if not (environment.get("DATABASE_URL") and environment.get("REDIS_URL")):
        environment |= running_servers(arguments.data).environment()
    command = [sys.executable, "-m", "services.projector.rebuild"]
    return subprocess.run(command, env=environment, check=False).returncode
