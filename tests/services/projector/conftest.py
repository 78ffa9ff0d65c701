"""The projector's connections, and the command service's store to append with."""

from collections.abc import Iterator

import pytest

from services.projector.wiring import Wiring, wire
from shared import logs
from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.eventstore.store import EventStore


@pytest.fixture
def wiring(settings: Settings) -> Iterator[Wiring]:
    logs.configure(settings.log_level)
    wiring = wire(settings)
    yield wiring
    wiring.pool.close()
    wiring.redis.close()


@pytest.fixture
def log(settings: Settings) -> Iterator[EventStore]:
    pool = Pool(settings.database_url, Role.COMMANDS)
    yield EventStore(pool)
    pool.close()
