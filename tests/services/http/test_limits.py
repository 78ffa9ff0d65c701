"""Rate limits: told before they bite, apart for each purpose, and gone without Redis."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from redis import Redis

from services.commands.app import create_app as create_commands
from services.queries.app import create_app as create_queries
from shared.config import Settings
from shared.http.limits import DEFAULTS, Quota, RateLimits, quotas
from tests.services.conftest import PASSWORD, closing, register

WRONG = {"name": "Ana", "password": "not the password"}


def test_what_is_left_of_a_quota_is_told_with_every_answer(settings: Settings) -> None:
    with closing(create_queries(replace(settings, rate_limits="reads=2/60"))) as queries:
        first, second, third = (queries.get("/v1/me") for _ in range(3))
    assert first.headers["RateLimit-Policy"] == '"reads";q=2;w=60'
    assert first.headers["RateLimit"].startswith('"reads";r=1;t=')
    assert second.headers["RateLimit"].startswith('"reads";r=0;t=')
    assert (third.status_code, third.get_json()["code"]) == (429, "rate_limited")
    assert 1 <= int(third.headers["Retry-After"]) <= 30  # a half of the quota is back by then
    assert third.headers["RateLimit"].startswith('"reads";r=0;t=')


def test_a_quota_comes_back_evenly(redis_url: str) -> None:
    """Two in a second: after half of it there is one more, and no third."""
    with Redis.from_url(redis_url) as redis:
        limits = RateLimits(redis, {"reads": Quota(2, 1)})

        def left() -> tuple[bool, int]:
            standing = limits.standing("reads", limits.ask(redis, "reads", "me", spend=True))
            return standing.allowed, standing.remaining

        assert [left() for _ in range(3)] == [(True, 1), (True, 0), (False, 0)]
        time.sleep(0.55)
        assert [left() for _ in range(2)] == [(True, 0), (False, 0)]
        time.sleep(1.05)
        assert redis.keys("quota:*") == []
        assert [left() for _ in range(3)] == [(True, 1), (True, 0), (False, 0)]


def test_each_token_has_a_quota_of_its_own(settings: Settings) -> None:
    limited = replace(settings, rate_limits="reads=1/60")
    with (
        closing(create_commands(settings)) as commands,
        closing(create_queries(limited)) as queries,
    ):
        ana, bob = register(commands, "Ana"), register(commands, "Bob")
        assert queries.get("/v1/me", headers=ana).status_code == 200
        assert queries.get("/v1/me", headers=ana).status_code == 429
        assert queries.get("/v1/me", headers=bob).status_code == 200


def test_reads_never_use_up_a_write(settings: Settings) -> None:
    limited = replace(settings, rate_limits="reads=1/60, writes=5/60")
    with closing(create_commands(limited)) as commands:
        for _ in range(3):
            commands.get("/v1/tokens")
        assert commands.post("/v1/tokens", json={}).status_code == 422


def test_health_and_preflights_are_not_limited(settings: Settings) -> None:
    limited = replace(settings, rate_limits="reads=1/60, writes=1/60")
    with closing(create_queries(limited)) as queries:
        for _ in range(3):
            assert queries.get("/healthz").status_code == 200
            assert queries.options("/v1/me").status_code == 204


def test_many_registrations_from_one_address_are_refused(settings: Settings) -> None:
    limited = replace(settings, rate_limits="register=2/3600", trusted_proxies=1)
    with closing(create_commands(limited)) as commands:

        def from_(address: str, name: str) -> int:
            return commands.post(
                "/v1/accounts",
                json={"name": name, "password": PASSWORD},
                headers={"X-Forwarded-For": f"6.6.6.6, {address}"},
            ).status_code

        assert [from_("192.0.2.1", f"one{n}") for n in range(3)] == [201, 201, 429]
        assert from_("192.0.2.2", "two") == 201
        one_net = [from_(f"2001:db8::{n}", f"six{n}") for n in range(3)]
        assert one_net == [201, 201, 429]


def test_failures_to_log_in_are_counted_by_name_and_address_and_successes_are_not(
    settings: Settings,
) -> None:
    limited = replace(settings, rate_limits="login_failures=2/300")
    with closing(create_commands(limited)) as commands:
        register(commands, "Ana")
        register(commands, "Bob")
        right = {"name": "Ana", "password": PASSWORD}
        statuses = [
            commands.post("/v1/tokens", json=wish).status_code
            for wish in (right, right, right, WRONG, {**WRONG, "name": "aNA"}, right, WRONG)
        ]
        assert statuses == [201, 201, 201, 401, 401, 429, 429]
        assert commands.post("/v1/tokens", json={**right, "name": "Bob"}).status_code == 201
        elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
        owner = commands.post("/v1/tokens", json=right, environ_overrides=elsewhere)
        assert owner.status_code == 201
        refused = commands.post("/v1/tokens", json=right).get_json()
        assert refused["detail"].startswith("More than 2 wrong passwords in 300 seconds; go on in ")


def test_a_stolen_token_does_not_help_to_guess_the_password(settings: Settings) -> None:
    limited = replace(settings, rate_limits="login_failures=2/300")
    with closing(create_commands(limited)) as commands:
        ana = register(commands)
        guess = {"password": "mine from now on", "current_password": "not the password"}
        statuses = [
            commands.put("/v1/me/password", json=guess, headers=ana).status_code for _ in range(3)
        ]
        assert statuses == [403, 403, 429]


def test_guessing_tokens_is_limited_by_address(settings: Settings) -> None:
    limited = replace(settings, rate_limits="token_guesses=2/60")
    with closing(create_queries(limited)) as queries:
        statuses = [
            queries.get("/v1/me", headers={"Authorization": f"Bearer pr_{n}{'x' * 42}"}).status_code
            for n in range(4)
        ]
    assert statuses == [401, 401, 429, 429]


def test_without_redis_nobody_is_limited(no_redis: Settings) -> None:
    limited = replace(no_redis, rate_limits="writes=1/60, login_failures=1/60")
    with closing(create_commands(limited)) as commands:
        answers = [commands.post("/v1/tokens", json=WRONG) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [401, 401, 401]
    assert "RateLimit" not in answers[0].headers


def test_the_setting_changes_what_it_names_and_a_slip_is_told() -> None:
    changed = quotas("register=10/3600, reads=600/60")
    assert changed == {**DEFAULTS, "register": Quota(10, 3600), "reads": Quota(600, 60)}
    with pytest.raises(ValueError, match="registre"):
        quotas("registre=1/2")


def test_an_answer_without_a_quota_says_nothing_of_it(queries: FlaskClient) -> None:
    assert "RateLimit" not in queries.get("/healthz").headers
