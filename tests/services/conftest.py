"""Clients of both services, on real servers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from services.commands.app import create_app as create_commands
from services.queries.app import create_app as create_queries
from shared.config import Settings
from shared.http.door import Door
from shared.http.resources import Resources, resources

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PASSWORD = "correct horse battery"


@contextmanager
def closing(app: Flask) -> Iterator[FlaskClient]:
    with app.app_context():
        found: Resources = resources()
    try:
        yield app.test_client()
    finally:
        if desk := app.extensions.get("puertorico_commands"):
            desk.waker.close()
        found.pool.close()
        found.redis.close()


@pytest.fixture
def commands(settings: Settings) -> Iterator[FlaskClient]:
    with closing(create_commands(settings)) as client:
        yield client


@pytest.fixture
def queries(settings: Settings) -> Iterator[FlaskClient]:
    with closing(create_queries(settings)) as client:
        yield client


@pytest.fixture
def no_redis(settings: Settings) -> Settings:
    """Settings whose Redis refuses connections."""
    nowhere = "redis://127.0.0.1:1/0"
    return replace(settings, redis_url=nowhere, queue_url=nowhere)


def inside_of(client: FlaskClient, kind: type[Door], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the paths of requests that the door of this kind lets go on into the app."""
    seen: list[str] = []
    door = client.application.wsgi_app
    assert isinstance(door, kind)
    app = door._inside

    def noting(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        seen.append(environ["PATH_INFO"])
        return app(environ, start_response)

    monkeypatch.setattr(door, "_inside", noting)
    return seen


def register(commands: FlaskClient, name: str = "Ana") -> dict[str, str]:
    """Make an account; returns the headers that speak for it."""
    answer = commands.post("/v1/accounts", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    return {"Authorization": f"Bearer {answer.json['token']}"}  # type: ignore[index]


def register_bot(commands: FlaskClient, name: str, **profile: object) -> dict[str, Any]:
    """Make a bot's account; returns the answer."""
    wish = {"name": name, "password": PASSWORD, "kind": "bot", **profile}
    answer = commands.post("/v1/accounts", json=wish)
    assert answer.status_code == 201, answer.text
    document: dict[str, Any] = answer.get_json()
    return document


@pytest.fixture
def ana(commands: FlaskClient) -> dict[str, str]:
    return register(commands, "Ana")


@pytest.fixture
def bob(commands: FlaskClient) -> dict[str, str]:
    return register(commands, "Bob")
