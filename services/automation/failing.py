"""How a command fails: a sentence on standard error, and the exit code 1."""

from __future__ import annotations

import sys


def failure(reason: str) -> int:
    """Say why the command came to nothing; returns its exit code."""
    print(f"puertorico: {reason}", file=sys.stderr)
    return 1
