"""Idempotency-Key: the same request twice happens once and is answered alike."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from flask import Response
from flask.testing import FlaskClient
from marshmallow import Schema

from services.commands import accounts
from shared.config import Settings
from shared.eventstore.records import NO_HASH
from shared.eventstore.store import Head
from shared.http.answer import Answer
from shared.http.app import base_app
from shared.http.auth import requires
from shared.http.blueprint import Blueprint
from shared.http.fields import StrictInt
from shared.http.idempotency import command_id, idempotent, intent
from shared.http.resources import resources
from shared.ids import uuid7
from tests.eventstore.games import SEED, new_records
from tests.services.conftest import closing, register


class WishSchema(Schema):
    number = StrictInt(required=True)


@pytest.fixture
def client(settings: Settings) -> Iterator[FlaskClient]:
    """The command service with a view that stores a game under the key."""
    app, api = base_app("commands", settings)
    games = Blueprint("stored", __name__)

    @games.route("/v1/tokens/test", methods=["POST"])
    @requires("games:play")
    @idempotent
    @games.arguments(WishSchema)
    def store_game(wish: dict[str, int]) -> Response:
        """Store a game."""
        game_id, store = uuid7(), resources().store
        body = json.dumps({"game": str(game_id), "number": wish["number"]}).encode()
        answer = Answer(201, body, {"Content-Type": "application/json", "ETag": '"1.w.1"'})
        records = new_records(game_id, intent().command_id, Head(0, NO_HASH))
        stored = intent().stored(answer)
        store.create_game(game_id, intent().command_id, records, SEED, request=stored)
        return answer.response()

    for blueprint in (accounts.blueprint, games):
        api.register_blueprint(blueprint)
    with closing(app) as client:
        yield client


@pytest.fixture
def ana(client: FlaskClient) -> dict[str, str]:
    return register(client)


def post(client: FlaskClient, who: dict[str, str], key: str | None, **options: Any) -> Any:
    headers = who if key is None else {**who, "Idempotency-Key": key}
    return client.post("/v1/tokens/test", headers=headers, **(options or {"json": {"number": 1}}))


def games(client: FlaskClient) -> int:
    with client.application.app_context(), resources().pool.connection() as connection:
        row = connection.execute("select count(*) from es.events").fetchone()
    assert row is not None
    return int(row[0])


def test_a_retry_gets_the_first_answer_again_and_nothing_happens(
    client: FlaskClient, ana: dict[str, str]
) -> None:
    first, again = post(client, ana, "key-1"), post(client, ana, "key-1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data == again.data
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.content_type == first.content_type
    assert "Idempotent-Replayed" not in first.headers
    assert games(client) == 1


def test_the_body_is_compared_by_what_it_says(client: FlaskClient, ana: dict[str, str]) -> None:
    post(client, ana, "key-1")
    spaced = post(client, ana, "key-1", data=b' {"number" :1 } ', content_type="application/json")
    assert spaced.headers["Idempotent-Replayed"] == "true"


def test_a_key_used_for_another_request_is_refused(
    client: FlaskClient, ana: dict[str, str]
) -> None:
    post(client, ana, "key-1")
    other = post(client, ana, "key-1", json={"number": 2})
    assert (other.status_code, other.get_json()["code"]) == (422, "idempotency_key_reused")
    assert games(client) == 1


def test_keys_belong_to_their_account(client: FlaskClient, ana: dict[str, str]) -> None:
    bob = register(client, "Bob")
    assert post(client, ana, "key-1").get_json() != post(client, bob, "key-1").get_json()
    assert games(client) == 2


def test_without_a_key_each_request_is_an_intent_of_its_own(
    client: FlaskClient, ana: dict[str, str]
) -> None:
    post(client, ana, None)
    post(client, ana, None)
    assert games(client) == 2


def test_a_refused_request_leaves_the_key_unused(client: FlaskClient, ana: dict[str, str]) -> None:
    assert post(client, ana, "key-1", json={"number": "one"}).status_code == 422
    assert post(client, ana, "key-1").status_code == 201


@pytest.mark.parametrize("key", ["", "with space", "ü", "x" * 256, "tab\t"])
def test_a_key_is_1_to_255_visible_ascii_characters(
    client: FlaskClient, ana: dict[str, str], key: str
) -> None:
    answer = client.post(
        "/v1/tokens/test",
        json={"number": 1},
        headers=ana,
        environ_overrides={"HTTP_IDEMPOTENCY_KEY": key},
    )
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_idempotency_key")
    assert post(client, ana, "x" * 255).status_code == 201


def test_of_twins_in_flight_together_one_happens_and_all_are_answered_alike(
    client: FlaskClient, ana: dict[str, str]
) -> None:
    bodies: list[bytes] = []
    together = threading.Barrier(8)

    def send() -> None:
        with client.application.test_client() as own:
            together.wait()
            bodies.append(post(own, ana, "key-1").data)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(bodies) == 8
    assert len(set(bodies)) == 1
    assert games(client) == 1


def test_the_command_id_is_made_of_account_and_key() -> None:
    account = UUID("01890a5d-ac96-774b-bcce-b302099a8057")
    assert command_id(account, "key-1").hex() == "db42a2628f97030551e0edaa684ed6fe"
