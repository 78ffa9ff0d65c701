"""Whose processor time a load takes: what else the machine does hardly touches that."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _USER, _SYSTEM = 1, 11, 12
"""Of the fields of /proc/PID/stat that follow the name."""


def used(names: Mapping[int, str]) -> dict[str, float]:
    """Seconds so far of our descendants, by program; `names` are those of some processes."""
    fields = {int(path.name): _fields(path) for path in Path("/proc").glob("[0-9]*")}
    parents = {pid: int(found[_PARENT]) for pid, found in fields.items() if found}
    seconds: defaultdict[str, float] = defaultdict(float)
    for pid, found in fields.items():
        if found and (name := _name(pid, parents, names)):
            seconds[name] += (int(found[_USER]) + int(found[_SYSTEM])) / _TICKS
    return seconds


def _fields(path: Path) -> list[str]:
    try:
        return (path / "stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return []


def _name(pid: int, parents: Mapping[int, int], names: Mapping[int, str]) -> str | None:
    """That of the process or its nearest ancestor that has one, if it descends from us."""
    found: str | None = None
    while pid != os.getpid():
        found = found or names.get(pid)
        if pid not in parents:
            return None
        pid = parents[pid]
    return found
