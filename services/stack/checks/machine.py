"""The disk under the data of the embedded stack."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from services.stack.checks.finding import Finding, size

ENOUGH = 1_000_000_000


def check(data: Path) -> Iterator[Finding]:
    """Nothing is said of servers that are not ours: their disk is not seen from here."""
    if not data.is_dir():
        return
    free = shutil.disk_usage(data).free
    if free > ENOUGH:
        yield Finding(f"The disk of {data} has {size(free)} free.")
    else:
        yield Finding(
            f"The disk of {data} has only {size(free)} free.",
            "make room: when it is full PostgreSQL stops, and no move is stored",
        )
