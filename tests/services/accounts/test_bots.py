"""Accounts of bots: what they say of themselves, and where they are found."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.services.conftest import PASSWORD, register, register_bot

Document = dict[str, Any]


def bots(client: FlaskClient, query: str = "") -> Document:
    document: Document = client.get(f"/v1/bots{query}").get_json()
    return document


def test_a_bot_says_so_and_how_it_plays(commands: FlaskClient, queries: FlaskClient) -> None:
    made = register_bot(commands, "deep-corn", strategy="Ships corn.", accepts_seats=True)
    account = made["account"]
    assert (account["kind"], account["strategy"]) == ("bot", "Ships corn.")
    assert account["accepts_seats"] is True
    me = queries.get("/v1/me", headers={"Authorization": f"Bearer {made['token']}"})
    assert me.get_json() == account
    named = queries.get(f"/v1/accounts?ids={account['id']}").get_json()
    assert named["items"] == [account]


def test_bots_that_take_seats_are_listed_page_by_page_the_oldest_first(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    register(commands, "Ana")
    register_bot(commands, "hermit")
    ids = [
        register_bot(commands, f"bot-{number}", accepts_seats=True)["account"]["id"]
        for number in range(3)
    ]
    first = bots(queries, "?limit=2")
    assert [bot["id"] for bot in first["items"]] == ids[:2]
    rest = bots(queries, f"?limit=2&after={first['next']}")
    assert [bot["id"] for bot in rest["items"]] == ids[2:]
    assert rest["next"] is None
    assert bots(queries)["next"] is None


def test_a_bot_stops_taking_seats_and_leaves_the_list(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    made = register_bot(commands, "deep-corn", strategy="Ships corn.", accepts_seats=True)
    who = {"Authorization": f"Bearer {made['token']}"}
    changed = commands.patch("/v1/me", json={"accepts_seats": False}, headers=who).get_json()
    assert (changed["accepts_seats"], changed["strategy"]) == (False, "Ships corn.")
    assert bots(queries)["items"] == []
    commands.patch("/v1/me", json={"accepts_seats": True, "strategy": "Builds."}, headers=who)
    (listed,) = bots(queries)["items"]
    assert listed["strategy"] == "Builds."


def test_an_erased_bot_takes_no_seats(commands: FlaskClient, queries: FlaskClient) -> None:
    made = register_bot(commands, "deep-corn", strategy="Ships corn.", accepts_seats=True)
    commands.delete("/v1/me", headers={"Authorization": f"Bearer {made['token']}"})
    assert bots(queries)["items"] == []
    (named,) = queries.get(f"/v1/accounts?ids={made['account']['id']}").get_json()["items"]
    assert (named["kind"], named["strategy"]) == ("bot", None)


@pytest.mark.parametrize("profile", [{"strategy": "Ships corn."}, {"accepts_seats": True}])
def test_a_person_has_no_strategy_and_takes_no_seats(
    commands: FlaskClient, ana: dict[str, str], profile: Document
) -> None:
    wish = {"name": "Bea", "password": PASSWORD, **profile}
    for refused in (
        commands.post("/v1/accounts", json=wish),
        commands.patch("/v1/me", json=profile, headers=ana),
    ):
        assert (refused.status_code, refused.get_json()["code"]) == (422, "only_bots")
    assert commands.patch("/v1/me", json={"accepts_seats": False}, headers=ana).status_code == 200


def test_what_a_bot_does_is_marked_in_the_log(commands: FlaskClient) -> None:
    made = register_bot(commands, "deep-corn")
    who = {"Authorization": f"Bearer {made['token']}"}
    for _ in range(2):  # the token comes from Postgres, then from Redis
        game = commands.post("/v1/games", json={}, headers=who).get_json()
        assert {event["cause"] for event in game["events"]} == {"bot"}
