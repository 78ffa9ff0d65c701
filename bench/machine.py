"""What a run was measured under."""

from __future__ import annotations

import os
import platform
import time
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import redis

SYNCS = 50
COMMITS = ("fsync", "synchronous_commit", "wal_sync_method")


def describe(database_url: str, redis_url: str, folder: Path) -> str:
    """In a few lines: hardware, load, versions, and how safe and how fast a commit is."""
    with psycopg.connect(database_url) as connection:
        settings = {
            name: connection.execute(f"show {name}").fetchone()
            for name in ("server_version", *COMMITS)
        }
    with redis.Redis.from_url(redis_url) as client:
        valkey = client.info("server")["valkey_version"]
    shown = {name: row[0] if row else "?" for name, row in settings.items()}
    hardware = f"{os.cpu_count()} processors, {_model()}, {_memory()} GB"
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    commits = ", ".join(f"{name} {shown[name]}" for name in COMMITS)
    return f"""\
- {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {hardware}; load {os.getloadavg()[0]:.1f} at the start
- {system}, PostgreSQL {shown["server_version"]}, Valkey {valkey}
- {commits}; a write with fdatasync takes {_sync_seconds(folder) * 1e6:.0f} µs here (median)"""


def _model() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(": ")[2] for line in lines if "model name" in line), "unknown")


def _memory() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)


def _sync_seconds(folder: Path) -> float:
    took = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(SYNCS):
            start = time.perf_counter()
            file.write(bytes(8192))
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - start)
    return sorted(took)[SYNCS // 2]
