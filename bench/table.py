"""The one table that a run prints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure, and what it is measured against."""

    what: str
    ours: str
    against: str = ""
    ratio: float | None = None


def print_title(title: str) -> None:
    print(f"\n### {title}\n\n| | measured | against | ratio |\n|---|---|---|---|", flush=True)


def print_rows(rows: Iterable[Row]) -> None:
    """Print each row as it comes: a run takes minutes."""
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        print(f"| {row.what} | {row.ours} | {row.against} | {ratio} |", flush=True)
