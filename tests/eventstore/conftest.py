"""Stores on real servers, one per role."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from shared.eventstore.pool import Pool, Role
from shared.eventstore.store import EventStore


@contextmanager
def opened(url: str, role: Role) -> Iterator[Pool]:
    pool = Pool(url, role, max_size=8)
    try:
        yield pool
    finally:
        pool.close()


@pytest.fixture
def pool(each_postgres_url: str) -> Iterator[Pool]:
    """The command service's connections."""
    with opened(each_postgres_url, Role.COMMANDS) as pool:
        yield pool


@pytest.fixture
def store(pool: Pool) -> EventStore:
    return EventStore(pool)
