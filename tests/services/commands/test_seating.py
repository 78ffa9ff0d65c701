"""Seats given to bots: when a game is opened, while it is open, and while it is running."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.services.commands.conftest import Headers, Running, ok, open_game, post, problem
from tests.services.conftest import register, register_bot

NOBODY = "01890000-0000-7000-8000-000000000000"


@pytest.fixture
def bot(commands: FlaskClient) -> str:
    account: str = register_bot(commands, "greedy", accepts_seats=True)["account"]["id"]
    return account


def members(game: dict[str, object]) -> list[str]:
    state = game["state"]
    assert isinstance(state, dict)
    return [member["account_id"] for member in state["members"]]


def test_a_game_is_opened_with_bots_in_it(commands: FlaskClient, ana: Headers, bot: str) -> None:
    other = register_bot(commands, "planner", accepts_seats=True)["account"]["id"]
    game = open_game(commands, ana, bots=[bot, other])
    assert members(game) == [game["state"]["created_by"], bot, other]
    assert {event["actor"] for event in game["events"]} == {game["state"]["created_by"]}
    assert {event["cause"] for event in game["events"]} == {"move"}
    started = ok(post(commands, ana, f"/v1/games/{game['id']}/start"))
    assert sorted(started["state"]["seats"]) == sorted(members(game))


def test_the_creator_seats_a_bot_and_takes_it_out_again(
    commands: FlaskClient, ana: Headers, bot: str
) -> None:
    game = open_game(commands, ana, visibility="private")
    path = f"/v1/games/{game['id']}/players"
    seated = ok(post(commands, ana, path, {"bot": bot, "nonce": "c0ffee"}))
    assert members(seated)[1:] == [bot]
    (joined,) = seated["events"]
    assert joined["body"] == {"account": bot, "nonce": "c0ffee"}
    assert joined["actor"] == game["state"]["created_by"]
    assert problem(post(commands, ana, path, {"bot": bot})) == (409, "already_joined")
    taken_out = ok(commands.delete(f"{path}/{bot}", headers=ana))
    assert bot not in members(taken_out)
    assert problem(commands.delete(f"{path}/{bot}", headers=ana)) == (409, "not_joined")


def test_only_the_creator_seats_bots_and_takes_them_out(
    commands: FlaskClient, ana: Headers, bob: Headers, bot: str
) -> None:
    path = f"/v1/games/{open_game(commands, ana)['id']}/players"
    assert problem(post(commands, bob, path, {"bot": bot})) == (403, "not_the_creator")
    ok(post(commands, ana, path, {"bot": bot}))
    assert problem(commands.delete(f"{path}/{bot}", headers=bob)) == (403, "not_the_creator")


def test_nobody_takes_a_person_out(commands: FlaskClient, ana: Headers, bob: Headers) -> None:
    path = f"/v1/games/{open_game(commands, ana)['id']}/players"
    person = members(ok(post(commands, bob, path)))[1]
    assert problem(commands.delete(f"{path}/{person}", headers=ana)) == (403, "not_a_bot")


def test_a_seat_is_given_to_bots_that_take_one_only(
    commands: FlaskClient, running: Running
) -> None:
    ana = running.seats[0]
    hermit = register_bot(commands, "hermit")["account"]["id"]
    person = open_game(commands, register(commands, "Zoe"))["state"]["created_by"]
    refused = (409, "bot_unavailable")
    opened = open_game(commands, ana)["id"]
    for account in (hermit, person, NOBODY):
        assert problem(post(commands, ana, "/v1/games", {"bots": [account]})) == refused
        added = post(commands, ana, f"/v1/games/{opened}/players", {"bot": account})
        assert problem(added) == refused
        given = post(commands, ana, f"{running.path}/substitute", {"bot": account})
        assert problem(given) == refused


def test_a_bot_has_one_seat_in_a_game(commands: FlaskClient, ana: Headers, bot: str) -> None:
    twice = post(commands, ana, "/v1/games", {"bots": [bot, bot]})
    assert problem(twice) == (409, "already_joined")
    assert twice.get_json()["errors"][0]["pointer"] == "/bots"


def test_a_bot_that_takes_no_seat_is_pointed_at(
    commands: FlaskClient, ana: Headers, bot: str
) -> None:
    refused = post(commands, ana, "/v1/games", {"bots": [bot, NOBODY]})
    assert problem(refused) == (409, "bot_unavailable")
    assert refused.get_json()["errors"][0]["pointer"] == "/bots/1"


def test_a_player_gives_his_seat_to_a_bot_which_plays_on(
    commands: FlaskClient, running: Running
) -> None:
    made = register_bot(commands, "greedy", accepts_seats=True)
    bot, who = made["account"]["id"], {"Authorization": f"Bearer {made['token']}"}
    before = running.state["seats"]
    given = ok(post(commands, running.seats[0], f"{running.path}/substitute", {"bot": bot}))
    (event,) = given["events"]
    assert (event["type"], event["body"]) == ("seat_given", {"seat": 0, "account": bot})
    assert given["state"]["seats"] == [bot, *before[1:]]
    assert given["state"]["players"][0]["account_id"] == bot
    assert given["awaiting"] == running.state["awaiting"]
    builder = {"type": "choose_role", "role": "builder"}
    assert problem(running.move(0, builder)) == (409, "not_joined")
    moved = ok(post(commands, who, f"{running.path}/moves", {"move": builder}))
    assert {event["cause"] for event in moved["events"]} == {"bot"}
    asked = next(event for event in moved["events"] if event["type"] == "decision_asked")
    assert moved["awaiting"][0]["decision_id"] == f"{asked['body']['seat']}.{asked['version']}"
    assert moved["state"]["players"][0]["victory_points"] == 0
    assert moved["state"]["players"][1]["victory_points"] is None


def test_who_has_given_his_seat_away_watches_and_no_longer_sees_its_points(
    commands: FlaskClient, running: Running, bot: str
) -> None:
    given = ok(post(commands, running.seats[1], f"{running.path}/substitute", {"bot": bot}))
    hidden = [player["victory_points"] for player in given["state"]["players"]]
    assert hidden == [None, None, None]
    again = post(commands, running.seats[1], f"{running.path}/substitute", {"bot": bot})
    assert problem(again) == (409, "not_joined")
    other = post(commands, running.seats[2], f"{running.path}/substitute", {"bot": bot})
    assert problem(other) == (409, "already_joined")


def test_a_seat_is_given_away_in_a_running_game_only(
    commands: FlaskClient, ana: Headers, bot: str
) -> None:
    path = f"/v1/games/{open_game(commands, ana)['id']}"
    refused = post(commands, ana, f"{path}/substitute", {"bot": bot})
    assert problem(refused) == (409, "game_not_running")


def test_giving_a_seat_away_leaves_the_draws_as_they_were(
    commands: FlaskClient, running: Running, bot: str
) -> None:
    members = running.state["members"]
    given = ok(post(commands, running.seats[0], f"{running.path}/substitute", {"bot": bot}))
    assert given["state"]["members"] == members
    assert given["state"]["next_draw"] == running.state["next_draw"]
