"""Who rebuilds or refolds while a server is away is told so, and nothing else."""

import subprocess
import sys

import pytest

from shared.config import Settings

NOBODY = "127.0.0.1:9"


def said(module: str, database_url: str, redis_url: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", f"services.projector.{module}"],
        env={"DATABASE_URL": database_url, "REDIS_URL": redis_url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


@pytest.mark.parametrize("module", ["rebuild", "refold"])
def test_postgres_that_is_away_is_told_in_one_line(module: str, settings: Settings) -> None:
    (line,) = said(module, f"postgresql://x@{NOBODY}/x", settings.redis_url).splitlines()
    assert line.startswith("PostgreSQL cannot be used (")


def test_redis_that_is_away_is_told_in_one_line(settings: Settings) -> None:
    (line,) = said("rebuild", settings.database_url, f"redis://{NOBODY}/0").splitlines()
    assert line.startswith("Redis cannot be used (")
