"""Tokens: logging in and out, scopes, and revocation that counts at once."""

from __future__ import annotations

import hashlib
from uuid import UUID

import psycopg
import pytest
from flask.testing import FlaskClient
from redis import Redis

from services.commands.app import create_app as create_commands
from services.queries.app import create_app as create_queries
from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.http.tokens import TokenDirectory
from tests.services.conftest import PASSWORD, closing, register

Headers = dict[str, str]


def bearer(token: str) -> Headers:
    return {"Authorization": f"Bearer {token}"}


def digest(headers: Headers) -> bytes:
    return hashlib.sha256(headers["Authorization"].removeprefix("Bearer ").encode()).digest()


def test_logging_in_makes_another_token(
    commands: FlaskClient, queries: FlaskClient, ana: Headers
) -> None:
    wish = {"name": "ana", "password": PASSWORD, "label": "phone", "scopes": ["games:read"]}
    answer = commands.post("/v1/tokens", json=wish)
    assert answer.status_code == 201
    body = answer.get_json()
    assert (body["label"], body["scopes"], body["account"]["name"]) == (
        "phone",
        ["games:read"],
        "Ana",
    )
    assert queries.get("/v1/me", headers=bearer(body["token"])).status_code == 200
    labels = [
        token["label"] for token in queries.get("/v1/me/tokens", headers=ana).get_json()["items"]
    ]
    assert labels == ["registration", "phone"]


def test_a_wrong_name_and_a_wrong_password_are_refused_alike(commands: FlaskClient) -> None:
    register(commands, "Ana")
    answers = [
        commands.post("/v1/tokens", json={"name": name, "password": "not the password"})
        for name in ("Ana", "Nobody")
    ]
    documents = [
        {key: value for key, value in answer.get_json().items() if key != "request_id"}
        for answer in answers
    ]
    assert documents[0] == documents[1]
    assert documents[0]["code"] == "wrong_credentials"
    assert answers[0].headers["WWW-Authenticate"] == "Bearer"


def test_a_password_may_be_typed_with_composed_or_decomposed_letters(
    commands: FlaskClient,
) -> None:
    commands.post("/v1/accounts", json={"name": "Eve", "password": "contrase\u00f1a"})
    answer = commands.post("/v1/tokens", json={"name": "Eve", "password": "contrasen\u0303a"})
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("headers", "challenge"),
    [
        ({}, "Bearer"),
        (bearer("pr_" + "x" * 43), 'Bearer error="invalid_token"'),
        (bearer("x"), 'Bearer error="invalid_token"'),
        ({"Authorization": "Basic YTpi"}, 'Bearer error="invalid_token"'),
        ({"Authorization": ""}, 'Bearer error="invalid_token"'),
    ],
)
def test_without_a_valid_token_the_challenge_says_why(
    queries: FlaskClient, headers: Headers, challenge: str
) -> None:
    answer = queries.get("/v1/me", headers=headers)
    assert (answer.status_code, answer.get_json()["code"]) == (401, "unauthorized")
    assert answer.headers["WWW-Authenticate"] == challenge


def test_a_token_may_do_what_its_scopes_say(commands: FlaskClient, ana: Headers) -> None:
    terms = {"label": "bot", "scopes": ["games:play"]}
    bot = bearer(commands.post("/v1/me/tokens", json=terms, headers=ana).get_json()["token"])
    answer = commands.delete("/v1/me", headers=bot)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "missing_scope")
    assert answer.headers["WWW-Authenticate"] == (
        'Bearer error="insufficient_scope", scope="account"'
    )


def test_a_token_cannot_make_one_that_may_do_more(commands: FlaskClient, ana: Headers) -> None:
    terms = {"label": "manager", "scopes": ["account"]}
    narrow = bearer(commands.post("/v1/me/tokens", json=terms, headers=ana).get_json()["token"])
    wider = {"label": "player", "scopes": ["account", "games:play"]}
    assert commands.post("/v1/me/tokens", json=wider, headers=narrow).status_code == 403
    assert commands.post("/v1/me/tokens", json=terms, headers=narrow).status_code == 201


@pytest.mark.parametrize("scopes", [[], ["games:fly"], "account", [1]])
def test_scopes_are_a_list_of_known_ones(
    commands: FlaskClient, ana: Headers, scopes: object
) -> None:
    answer = commands.post("/v1/me/tokens", json={"label": "x", "scopes": scopes}, headers=ana)
    assert answer.status_code == 422
    assert answer.get_json()["errors"][0]["pointer"].startswith("/scopes")


def test_logging_out_revokes_the_token_in_use_at_once_in_both_services(
    commands: FlaskClient, queries: FlaskClient, ana: Headers
) -> None:
    terms = {"label": "reader", "scopes": ["games:read"]}
    reader = bearer(commands.post("/v1/me/tokens", json=terms, headers=ana).get_json()["token"])
    assert queries.get("/v1/me", headers=reader).status_code == 200  # so it is cached
    assert commands.delete("/v1/me/tokens/current", headers=reader).status_code == 204
    assert queries.get("/v1/me", headers=reader).status_code == 401
    assert commands.delete("/v1/me/tokens/current", headers=reader).status_code == 401
    assert queries.get("/v1/me", headers=ana).status_code == 200


def test_revoking_another_token_needs_the_scope_and_an_own_token(
    commands: FlaskClient, queries: FlaskClient, ana: Headers, bob: Headers
) -> None:
    made = commands.post(
        "/v1/me/tokens", json={"label": "x", "scopes": ["games:read"]}, headers=ana
    )
    token_id = made.get_json()["token_id"]
    path = f"/v1/me/tokens/{token_id}"
    (first, _) = queries.get("/v1/me/tokens", headers=ana).get_json()["items"]
    narrow = bearer(made.get_json()["token"])
    assert commands.delete(f"/v1/me/tokens/{first['id']}", headers=narrow).status_code == 403
    assert commands.delete(path, headers=bob).status_code == 404
    assert commands.delete(path, headers=ana).status_code == 204
    assert commands.delete(path, headers=ana).status_code == 404
    assert commands.delete("/v1/me/tokens/seven", headers=ana).status_code == 404


def test_a_reader_that_saw_the_token_before_its_revocation_cannot_bring_it_back(
    commands: FlaskClient, ana: Headers, settings: Settings, postgres_url: str
) -> None:
    """The reader has read Postgres, then the token is revoked, then the reader fills Redis."""
    pool = Pool(postgres_url, Role.QUERIES)

    class SlowRedis(Redis):
        def pipeline(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            commands.delete("/v1/me/tokens/current", headers=ana)
            return super().pipeline(*args, **kwargs)

    redis = SlowRedis.from_url(settings.redis_url)
    directory = TokenDirectory(redis, pool)
    late = directory.look_up(digest(ana))
    assert late is not None  # it began before the revocation was answered
    tombstone = directory.ask(redis, digest(ana))
    assert isinstance(tombstone, bytes)
    assert directory.held(tombstone) is None
    pool.close()
    redis.close()


def test_an_expired_token_is_refused_also_while_it_is_cached(
    commands: FlaskClient, queries: FlaskClient, ana: Headers, settings: Settings, postgres_url: str
) -> None:
    terms = {"label": "short", "scopes": ["games:read"], "expires_in_days": 1}
    made = commands.post("/v1/me/tokens", json=terms, headers=ana).get_json()
    assert queries.get("/v1/me", headers=bearer(made["token"])).status_code == 200
    with psycopg.connect(postgres_url) as connection:
        connection.execute(
            "update es.tokens set expires_at = now() - interval '1 s' where token_id = %s",
            (UUID(made["token_id"]),),
        )
    with Redis.from_url(settings.redis_url) as redis:
        redis.flushdb()
    for _ in ("from Postgres", "from Redis"):
        assert queries.get("/v1/me", headers=bearer(made["token"])).status_code == 401
    listed = queries.get("/v1/me/tokens", headers=ana).get_json()["items"]
    assert [token["label"] for token in listed] == ["registration"]


def test_without_redis_everything_works_and_a_revocation_counts(no_redis: Settings) -> None:
    with (
        closing(create_commands(no_redis)) as commands,
        closing(create_queries(no_redis)) as queries,
    ):
        ana = register(commands)
        assert queries.get("/v1/me", headers=ana).status_code == 200
        assert commands.delete("/v1/me/tokens/current", headers=ana).status_code == 204
        assert queries.get("/v1/me", headers=ana).status_code == 401
