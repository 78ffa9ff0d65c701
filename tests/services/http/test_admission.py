"""What travels with the look-up of the token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from redis import Redis

from shared.config import Settings
from shared.http.admission import prefetched, prefetches
from shared.http.app import base_app
from shared.http.auth import identifies, viewer
from tests.services.conftest import closing


def reading_app(settings: Settings) -> Flask:
    app, _ = base_app("queries", settings)

    def queue(pipe: Redis, word: str) -> None:
        pipe.get(f"word:{word}")
        pipe.get("other")

    @app.get("/v1/words/<word>")
    @identifies("games:read")
    @prefetches(queue)
    def read(word: str) -> dict[str, object]:
        answers = prefetched()
        found = [answer and answer.decode() for answer in answers] if answers else None
        return {"word": word, "found": found, "known": viewer() is not None}

    return app


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    with Redis.from_url(redis_url) as client:
        yield client


def test_a_views_reads_are_answered_with_the_token_and_without(
    settings: Settings, redis: Redis, ana: dict[str, str]
) -> None:
    redis.set("word:a", "alpha")
    with closing(reading_app(settings)) as client:
        for headers in ({}, ana):
            document = client.get("/v1/words/a", headers=headers).get_json()
            assert document == {"word": "a", "found": ["alpha", None], "known": bool(headers)}


def test_a_read_is_one_round_trip_to_redis(
    settings: Settings, ana: dict[str, str], sent_to_redis: list[object]
) -> None:
    """Without a token, and with one that Redis knows."""
    with closing(reading_app(settings)) as client:
        for headers in ({}, ana):
            client.get("/v1/words/a", headers=headers)
            sent_to_redis.clear()
            assert client.get("/v1/words/a", headers=headers).status_code == 200
            assert len(sent_to_redis) == 1


def test_without_redis_a_view_learns_that_nothing_was_read(no_redis: Settings) -> None:
    with closing(reading_app(no_redis)) as client:
        assert client.get("/v1/words/a").get_json()["found"] is None
