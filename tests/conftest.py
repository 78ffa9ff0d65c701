"""Fixtures of all tests: real servers, empty at the beginning of each test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from services.projector.wiring import Wiring, wire
from services.stack.data_directory import Servers
from shared import logs
from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.eventstore.store import EventStore
from tests import servers

POSTGRES_15 = Path("/usr/lib/postgresql/15/bin")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # not a worker of xdist, but who starts them
        run = ExitStack()
        run.enter_context(servers.test_run())
        config.add_cleanup(run.close)


@pytest.fixture(scope="session")
def worker_servers() -> Servers:
    """The worker's servers for what outlives a test, such as an app; the others empty them."""
    return servers.servers(None)


@pytest.fixture
def postgres_url(worker_servers: Servers) -> str:
    """The owner's login to a migrated database without a row."""
    servers.empty_database(worker_servers.database_url)
    return worker_servers.database_url


@pytest.fixture
def redis_url(worker_servers: Servers) -> str:
    """A Redis without a key."""
    servers.empty_redis(worker_servers.redis_url)
    return worker_servers.redis_url


@pytest.fixture
def settings(postgres_url: str, redis_url: str) -> Settings:
    """Both, as the services are told of them."""
    return Settings.from_env({"DATABASE_URL": postgres_url, "REDIS_URL": redis_url})


@pytest.fixture(params=["newest", "15"])
def each_postgres_url(request: pytest.FixtureRequest) -> str:
    """The same test on the newest PostgreSQL and on the oldest that is supported."""
    if request.param == "15" and not POSTGRES_15.exists():
        pytest.skip("Debian's postgresql-15 is not installed")
    url = servers.servers(POSTGRES_15 if request.param == "15" else None).database_url
    servers.empty_database(url)
    return url


@pytest.fixture
def wiring(settings: Settings) -> Iterator[Wiring]:
    """A projector's connections."""
    logs.configure(settings.log_level)
    wiring = wire(settings)
    yield wiring
    wiring.pool.close()
    wiring.redis.close()


@pytest.fixture
def log(settings: Settings) -> Iterator[EventStore]:
    """What the command service appends with."""
    pool = Pool(settings.database_url, Role.COMMANDS)
    yield EventStore(pool)
    pool.close()
