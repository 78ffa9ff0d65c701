"""What the commands share that need the servers of a running stack."""

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


def environment(data: Path) -> dict[str, str]:
    """Ours, with the addresses of the servers that run on this data unless it has others."""
    ours = dict(os.environ)
    if not (ours.get("DATABASE_URL") and ours.get("REDIS_URL")):
        ours |= running_servers(data).environment()
    return ours


def run_projector(module: str, data: Path, *arguments: str) -> int:
    """Run this module of the projector in a process of its own: the stack may not import it."""
    command = [sys.executable, "-m", f"services.projector.{module}", *arguments]
    return subprocess.run(command, env=environment(data), check=False).returncode
