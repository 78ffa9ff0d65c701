"""Scripts in a pipeline."""

from collections.abc import Iterator

import pytest
from redis import Redis, ResponseError

from shared.config import Settings
from shared.readmodel.keys import Keys
from shared.readmodel.scripts import PipelinedScript


@pytest.fixture
def redis(settings: Settings) -> Iterator[Redis]:
    with Redis.from_url(settings.redis_url) as redis:
        yield redis


def test_a_redis_that_was_started_anew_is_told_the_script(redis: Redis) -> None:
    script, keys = PipelinedScript(redis, "complete.lua"), Keys("0")
    redis.script_flush()
    calls = [([keys.list_checkpoints], [needed] * 256) for needed in (0, 1)]
    assert script(calls) == [1, 0]
    assert script(calls) == [1, 0]


def test_an_error_is_raised(redis: Redis) -> None:
    script = PipelinedScript(redis, "complete.lua")
    with pytest.raises(ResponseError):
        script([(["number"], ["not a number"])])
