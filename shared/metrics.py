"""The metrics of all processes that share a folder, or of this one if it shares none."""

from __future__ import annotations

import os

from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector


def registry() -> CollectorRegistry:
    """Return what is to be shown; the folder is named by PROMETHEUS_MULTIPROC_DIR."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    shared = CollectorRegistry()
    MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
    return shared
