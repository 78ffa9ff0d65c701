"""Games that somebody has left who will not come back: his account is erased."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.services.commands.conftest import Headers, Running, ok, open_game, post, problem
from tests.services.conftest import register, register_bot


@pytest.fixture
def opened(commands: FlaskClient, players: list[Headers]) -> str:
    """The path of a game that Ana opened and Bob joined."""
    ana, bob, _ = players
    path = f"/v1/games/{open_game(commands, ana)['id']}"
    ok(post(commands, bob, f"{path}/players"))
    return path


def erase(commands: FlaskClient, who: Headers) -> None:
    assert commands.delete("/v1/me", headers=who).status_code == 204


def test_any_player_aborts_a_running_game_whose_creator_is_erased(
    commands: FlaskClient, running: Running
) -> None:
    abort = f"{running.path}/abort"
    assert problem(post(commands, running.seats[1], abort)) == (403, "not_the_creator")
    erase(commands, running.seats[0])
    stranger = {"Authorization": running.seats[0]["Authorization"]}
    assert problem(post(commands, stranger, abort)) == (401, "unauthorized")
    aborted = ok(post(commands, running.seats[1], abort))
    assert aborted["state"]["status"] == "aborted"
    assert {event["actor"] for event in aborted["events"]} == {running.state["seats"][1]}


def test_who_has_joined_takes_an_erased_creator_out_and_starts(
    commands: FlaskClient, opened: str, players: list[Headers]
) -> None:
    ana, bob, cid = players
    game = ok(post(commands, cid, f"{opened}/players"))
    ana_id = game["state"]["created_by"]
    erase(commands, ana)
    out = ok(commands.delete(f"{opened}/players/{ana_id}", headers=bob))
    started = ok(post(commands, cid, f"{opened}/start"))
    assert ana_id not in started["state"]["seats"]
    assert len(out["state"]["members"]) == len(started["state"]["seats"]) == 2


def test_nobody_else_has_the_rights_of_an_erased_creator(
    commands: FlaskClient, opened: str, players: list[Headers]
) -> None:
    ana, _, cid = players
    erase(commands, ana)
    for action in ("start", "abort"):
        assert problem(post(commands, cid, f"{opened}/{action}")) == (403, "not_the_creator")


def test_the_seat_of_an_erased_player_is_given_to_a_bot_by_another(
    commands: FlaskClient, running: Running
) -> None:
    bot = register_bot(commands, "greedy", accepts_seats=True)["account"]["id"]
    ana, bob, cid = running.seats
    owner = running.state["seats"][0]
    path, wish = f"{running.path}/substitute", {"bot": bot, "account": owner}
    assert problem(post(commands, bob, path, wish)) == (409, "seat_in_use")
    erase(commands, ana)
    stranger = register(commands, "Zoe")
    assert problem(post(commands, stranger, path, wish)) == (409, "not_joined")
    given = ok(post(commands, bob, path, wish))
    assert given["state"]["seats"] == [bot, *running.state["seats"][1:]]
    (event,) = given["events"]
    assert event["actor"] == running.state["seats"][1]
    assert problem(post(commands, cid, path, wish)) == (409, "not_joined")
