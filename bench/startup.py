"""`puertorico up`: how soon it is ready, and how much memory its processes take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from bench.table import Row
from tests.stack.processes import command, descendants
from tests.stack.running import up

NAMES = {
    "gunicorn": "a web worker (commands and queries)",
    "services.projector.worker": "the projector",
    "services.projector.sweeper": "the sweeper",
}


def rows(folder: Path) -> Iterator[Row]:
    """Cold: the folder is empty, so databases are made; warm: they are there."""
    for how in ("cold (initdb, migrations)", "warm"):
        start = time.perf_counter()
        with up(folder) as stack:
            yield Row(f"`up` until ready, {how}", f"{time.perf_counter() - start:.1f} s")
            used = memory(stack.process.pid)
    for name, most in used.items():
        yield Row(f"memory of {name}, just started", f"{most:.0f} MB not shared")


def memory(root: int) -> dict[str, float]:
    """By kind of process, the memory that is not shared with others; of several the largest."""
    used: dict[str, float] = {}
    for pid in descendants(root):
        for part, name in NAMES.items():
            if part in command(pid):
                used[name] = max(used.get(name, 0), _private_megabytes(pid))
    return used


def _private_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    sizes = [int(line.split()[1]) for line in lines if line.startswith("Private_")]
    return sum(sizes) / 1024
