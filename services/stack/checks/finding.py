"""What a check has found, in one sentence a person can act on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

CLOCK_SECONDS = 2.0


class Finding(NamedTuple):
    """`advice` says what to do about what is not well; it is empty when all is."""

    text: str
    advice: str = ""

    @property
    def is_well(self) -> bool:
        return not self.advice


def clock(whose: str, theirs: datetime) -> Finding:
    """Compare a server's clock, just read, with ours."""
    apart = abs((datetime.now(UTC) - theirs).total_seconds())
    if apart < CLOCK_SECONDS:
        return Finding(f"The clock of {whose} agrees with this machine's.")
    return Finding(
        f"The clock of {whose} is {apart:.0f} s off this machine's.",
        "set both by NTP: events keep their order, but are given wrong times",
    )


def size(count: float) -> str:
    """Bytes for people."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
