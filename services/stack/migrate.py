"""`puertorico migrate`: bring the database at DATABASE_URL to this version's schema."""

from __future__ import annotations

import argparse
import os

import psycopg

from services.stack.errors import StackError
from shared.eventstore import migrate as runner


def configure(parser: argparse.ArgumentParser) -> None:
    """Nothing but the environment tells it what to do."""


def run(_arguments: argparse.Namespace) -> int:
    url = os.environ.get("DATABASE_URL")
    if not url:
        raise StackError("DATABASE_URL is not set.")
    for name in migrate(url):
        print(f"Applied {name}")
    print("The database is up to date.")
    return 0


def migrate(url: str) -> list[str]:
    """What was applied, by file name."""
    try:
        return runner.migrate(url)
    except (psycopg.Error, runner.MigrationError) as error:
        said = " ".join(str(error).split())
        raise StackError(f"The database (DATABASE_URL) cannot be used: {said}") from error
