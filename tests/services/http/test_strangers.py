"""Tokens that Redis does not know: made up, ended, or only not looked up for a minute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest
from redis import Redis
from werkzeug.test import Client, TestResponse

from services.stack.app import at_one_origin, both
from shared.config import Settings
from shared.http.tokens import Token
from shared.ids import uuid7
from tests.services.conftest import PASSWORD, closing

Headers = dict[str, str]
POSITION = {"players": 3, "position": {}}
OPEN_TO_ALL: dict[str, Callable[[Client, Headers], TestResponse]] = {
    "rules": lambda client, who: client.get("/v1/rules", headers=who),
    "accounts": lambda client, who: client.get(f"/v1/accounts?ids={uuid7()}", headers=who),
    "analysis": lambda client, who: client.post(
        "/v1/analysis/legal-moves", json=POSITION, headers=who
    ),
}
"""Views that ask for no token."""


@contextmanager
def limited(settings: Settings, rate_limits: str) -> Iterator[Client]:
    """Both services at one origin."""
    commands, queries = both(replace(settings, rate_limits=rate_limits))
    with closing(commands), closing(queries):
        yield Client(at_one_origin(commands, queries))


@contextmanager
def no_look_ups(settings: Settings) -> Iterator[None]:
    """Whoever asks Postgres for a token has to wait, until he is told that it is busy."""
    with psycopg.connect(settings.database_url) as connection:
        connection.execute("lock table es.tokens in access exclusive mode")
        yield


def forget(settings: Settings) -> None:
    """Let the tokens fall out of Redis, as each does after a minute."""
    with Redis.from_url(settings.redis_url) as redis:
        redis.delete(*redis.keys("token:*"))


def register(client: Client, name: str = "Ana") -> Headers:
    answer = client.post("/v1/accounts", json={"name": name, "password": PASSWORD})
    return bearer(answer.get_json()["token"])


def bearer(secret: str) -> Headers:
    return {"Authorization": f"Bearer {secret}"}


def made_up() -> Headers:
    return bearer(Token.make().secret)


def left(answer: TestResponse) -> int:
    """What the answer says is left of the quota."""
    return int(answer.headers["RateLimit"].split("r=")[1].split(";")[0])


@pytest.mark.parametrize("view", OPEN_TO_ALL)
def test_a_made_up_token_counts_by_its_address_also_where_none_is_asked_for(
    settings: Settings, view: str
) -> None:
    ask = OPEN_TO_ALL[view]
    with limited(settings, "reads=3/60, writes=3/60") as client:
        answers = [ask(client, made_up()) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert [left(answer) for answer in answers] == [2, 1, 0, 0]
        assert ask(client, {}).status_code == 429


def test_a_revoked_token_counts_by_its_address(settings: Settings) -> None:
    with limited(settings, "reads=1/60") as client:
        ana = register(client)
        client.delete("/v1/me/tokens/current", headers=ana)
        assert client.get("/v1/rules", headers=ana).status_code == 200
        assert client.get("/v1/rules").status_code == 429


@pytest.mark.parametrize("path", ["/v1/rules", "/v1/me"])
def test_a_valid_token_passes_where_the_address_has_nothing_left(
    settings: Settings, path: str
) -> None:
    """Also at the moment when Redis does not know it."""
    with limited(settings, "reads=5/60") as client:
        ana = register(client)
        assert [client.get(path).status_code for _ in range(6)][-1] == 429
        answers = [client.get(path, headers=ana) for _ in ("from Postgres", "from Redis")]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert [left(answer) for answer in answers] == [4, 3]
        forget(settings)
        assert client.get(path, headers=ana).status_code == 200
        assert client.get(path, headers=made_up()).status_code == 429


def test_who_has_guessed_enough_is_refused_before_postgres_is_asked(settings: Settings) -> None:
    with limited(settings, "token_guesses=2/60") as client:
        assert client.get("/v1/me", headers=made_up()).status_code == 401
        assert client.get("/v1/me", headers=made_up()).status_code == 401
        with no_look_ups(settings):
            assert client.get("/v1/me", headers=made_up()).status_code == 429


def test_where_no_token_is_asked_for_postgres_is_not_asked_for_one(settings: Settings) -> None:
    """Until the address has nothing left; and then not for who has guessed enough."""
    with limited(settings, "reads=2/60, token_guesses=1/60") as client:
        with no_look_ups(settings):
            assert client.get("/v1/rules", headers=made_up()).status_code == 200
            assert client.get("/v1/rules", headers=made_up()).status_code == 200
        assert client.get("/v1/rules", headers=made_up()).status_code == 429
        with no_look_ups(settings):
            assert client.get("/v1/rules", headers=made_up()).status_code == 429


def test_of_a_thousand_made_up_tokens_sixty_are_looked_up(settings: Settings) -> None:
    """And one more each second, in which one guess comes back."""
    with limited(settings, "") as client:
        statuses = [client.get("/v1/me", headers=made_up()).status_code for _ in range(1000)]
    assert statuses[:60] == [401] * 60
    assert set(statuses) == {401, 429}
    assert statuses.count(401) < 100


def test_a_valid_token_passes_where_somebody_guesses(settings: Settings) -> None:
    """When it falls out of Redis, and when it was made a moment ago."""
    with limited(settings, "token_guesses=1/60") as client:
        ana = register(client)
        assert client.get("/v1/me", headers=ana).status_code == 200
        assert client.get("/v1/me", headers=made_up()).status_code == 401
        assert client.get("/v1/me", headers=made_up()).status_code == 429
        forget(settings)
        for who in (ana, register(client, "Bob")):
            assert client.get("/v1/me", headers=who).status_code == 200


def test_a_token_is_remembered_until_it_is_revoked(settings: Settings) -> None:
    with limited(settings, "") as client, Redis.from_url(settings.redis_url) as redis:
        ana = register(client)
        assert len(redis.keys("known:*")) == 1
        client.delete("/v1/me/tokens/current", headers=ana)
        assert redis.keys("known:*") == []


def test_a_known_token_is_one_round_trip_to_redis_where_none_is_asked_for_and_where_one_is(
    settings: Settings, sent_to_redis: list[object]
) -> None:
    with limited(settings, "") as client:
        ana = register(client)
        for path in ("/v1/me", "/v1/rules"):
            client.get(path, headers=ana)
            sent_to_redis.clear()
            client.get(path, headers=ana)
            assert len(sent_to_redis) == 1
