"""docs/operations.md tells of every metric there is, and of no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.source import ROOT, modules

PAGE = (ROOT / "docs" / "operations.md").read_text()


def metrics() -> Iterator[str]:
    """The names as they are shown: counters end in `_total`."""
    for folder in ("services", "shared"):
        for _, tree in modules(ROOT / folder):
            for node in ast.walk(tree):
                match node:
                    case ast.Call(
                        func=ast.Name(id="Counter" | "Gauge" | "Histogram" as kind),
                        args=[ast.Constant(value=str(name)), *_],
                    ):
                        yield f"{name}_total" if kind == "Counter" else name
                    case _:
                        pass


def test_every_metric_is_explained_and_no_other() -> None:
    there_are = set(metrics())
    assert len(there_are) > 10
    assert set(re.findall(r"`(puertorico_\w+)`", PAGE)) == there_are
