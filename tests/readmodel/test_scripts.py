"""Scripts in a pipeline."""

from collections.abc import Iterator

import pytest
from redis import Redis, ResponseError

from shared.config import Settings
from shared.ids import uuid7
from shared.readmodel.scripts import PipelinedScript


@pytest.fixture
def redis(settings: Settings) -> Iterator[Redis]:
    with Redis.from_url(settings.redis_url) as redis:
        yield redis


def test_a_redis_that_does_not_know_the_script_is_told(redis: Redis) -> None:
    script = PipelinedScript(redis, f"return ARGV[1] + 1 -- {uuid7()}")
    for _ in range(2):
        assert script([([], [1]), ([], [5])]) == [2, 6]


def test_an_error_is_raised(redis: Redis) -> None:
    script = PipelinedScript(redis, "return redis.call('GET')")
    with pytest.raises(ResponseError):
        script([([], [])])
