"""What the kernel knows of processes."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def descendants(pid: int) -> list[int]:
    """All that this process started, and what they started."""
    found = [pid]
    for each in found:  # grows while we walk
        with suppress(FileNotFoundError, ProcessLookupError):  # one may end meanwhile
            found += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return found[1:]


def is_gone(pid: int) -> bool:
    """Ended, be it as a zombie that the machine's init has not collected."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
