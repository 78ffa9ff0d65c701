"""Opening, joining, leaving, starting and aborting games."""

from __future__ import annotations

import hashlib

import pytest
from flask.testing import FlaskClient

from tests.services.commands.conftest import (
    Document,
    Headers,
    Running,
    ok,
    open_game,
    post,
    problem,
    start,
)
from tests.services.conftest import register


def test_a_new_game_has_its_creator_at_the_table(commands: FlaskClient, ana: Headers) -> None:
    answer = post(commands, ana, "/v1/games", {"nonce": "c0ffee"})
    game = ok(answer)
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    assert answer.headers["ETag"] == '"2.w.1"'
    assert [event["type"] for event in game["events"]] == ["game_created", "player_joined"]
    assert (game["first_version"], game["last_version"]) == (1, 2)
    assert game["state"]["status"] == "open"
    assert game["state"]["visibility"] == "public"
    assert [member["nonce"] for member in game["state"]["members"]] == ["c0ffee"]
    assert game["head_hash"] == game["events"][-1]["hash"] == game["state"]["head_hash"]
    assert "invitation_code" not in game
    assert "seed" not in game["events"][0]["body"]


def test_events_are_chained_and_say_who_did_it_and_when(
    commands: FlaskClient, ana: Headers
) -> None:
    game = open_game(commands, ana)
    first, second = game["events"]
    assert first["hash"] == hashlib.sha256(bytes(32) + first["record"].encode()).hexdigest()
    chained = bytes.fromhex(first["hash"]) + second["record"].encode()
    assert second["hash"] == hashlib.sha256(chained).hexdigest()
    assert {first["actor"], second["actor"]} == {game["state"]["created_by"]}
    assert first["time"] == second["time"]
    assert first["cause"] == "move"


def test_players_join_until_five_sit_there(commands: FlaskClient, ana: Headers) -> None:
    path = f"/v1/games/{open_game(commands, ana)['id']}"
    for number in range(4):
        ok(post(commands, register(commands, f"guest-{number}"), f"{path}/players"))
    late = post(commands, register(commands, "late"), f"{path}/players")
    assert problem(late) == (409, "game_full")
    assert late.get_json()["game_version"] == 6
    assert problem(post(commands, ana, f"{path}/players")) == (409, "already_joined")


def test_whoever_leaves_gives_his_seat_up(
    commands: FlaskClient, ana: Headers, bob: Headers
) -> None:
    path = f"/v1/games/{open_game(commands, ana)['id']}"
    ok(post(commands, bob, f"{path}/players"))
    left = commands.delete(f"{path}/players/me", headers=bob)
    assert left.status_code == 200
    assert [event["type"] for event in left.get_json()["events"]] == ["player_left"]
    assert len(left.get_json()["state"]["members"]) == 1
    again = commands.delete(f"{path}/players/me", headers=bob)
    assert problem(again) == (409, "not_joined")


def test_a_creator_who_has_left_may_still_start(commands: FlaskClient, ana: Headers) -> None:
    path = f"/v1/games/{open_game(commands, ana)['id']}"
    for name in ("Bob", "Cid", "Dee"):
        ok(post(commands, register(commands, name), f"{path}/players"))
    commands.delete(f"{path}/players/me", headers=ana)
    started = ok(post(commands, ana, f"{path}/start"))
    assert len(started["state"]["seats"]) == 3
    assert started["state"]["created_by"] not in started["state"]["seats"]


def test_only_the_creator_starts_and_not_alone(
    commands: FlaskClient, ana: Headers, bob: Headers
) -> None:
    path = f"/v1/games/{open_game(commands, ana)['id']}"
    assert problem(post(commands, ana, f"{path}/start")) == (409, "too_few_players")
    ok(post(commands, bob, f"{path}/players"))
    assert problem(post(commands, bob, f"{path}/start")) == (403, "not_the_creator")
    started = ok(post(commands, ana, f"{path}/start"))
    assert started["state"]["status"] == "running"
    assert started["awaiting"] == [
        {
            "seat": 0,
            "decision": "choose_role",
            "decision_id": f"0.{started['last_version']}",
        }
    ]
    for path_after in ("start", "players"):
        answer = post(commands, ana, f"{path}/{path_after}")
        assert problem(answer) == (409, "game_not_open")
    assert commands.delete(f"{path}/players/me", headers=bob).get_json()["code"] == "game_not_open"


def test_aborting_reveals_the_seed_that_was_committed_to(running: Running) -> None:
    aborted = ok(post(running.client, running.seats[0], f"{running.path}/abort"))
    state = aborted["state"]
    assert (state["status"], state["awaiting"], aborted["awaiting"]) == ("aborted", [], [])
    seed = bytes.fromhex(aborted["events"][-1]["body"]["seed"])
    assert hashlib.sha256(seed).hexdigest() == state["seed_commitment"]
    again = post(running.client, running.seats[0], f"{running.path}/abort")
    assert problem(again) == (409, "game_not_running")


def test_only_the_creator_aborts(running: Running) -> None:
    refused = post(running.client, running.seats[1], f"{running.path}/abort")
    assert problem(refused) == (403, "not_the_creator")


def test_a_private_game_is_joined_by_its_code_and_by_nothing_else(
    commands: FlaskClient, ana: Headers, bob: Headers
) -> None:
    game = open_game(commands, ana, visibility="private")
    path = f"/v1/games/{game['id']}/players"
    for wish in ({}, {"code": "wrong"}, {"code": "é"}, {"code": game["id"]}):
        assert problem(post(commands, bob, path, wish)) == (404, "not_found")
    joined = ok(post(commands, bob, path, {"code": game["invitation_code"]}))
    assert len(joined["state"]["members"]) == 2
    assert game["invitation_code"] not in str(joined)


def test_a_private_game_one_is_no_member_of_is_like_none_at_all(
    commands: FlaskClient, ana: Headers, bob: Headers
) -> None:
    private = open_game(commands, ana, visibility="private")["id"]
    missing = "01890000-0000-7000-8000-000000000000"
    operations: list[tuple[str, str, object]] = [
        ("POST", "players", {}),
        ("DELETE", "players/me", None),
        ("POST", "start", None),
        ("POST", "abort", None),
        ("POST", "moves", {"move": {"type": "pass"}}),
        ("POST", "preview", {"move": {"type": "pass"}}),
    ]
    for method, path, body in operations:
        answers = [
            commands.open(
                f"/v1/games/{game}/{path}",
                method=method,
                json=body,
                headers={**bob, "X-Request-Id": "same", "If-Match": '"7.w.1"'},
            )
            for game in (private, missing, "no-id", missing.upper())
        ]
        assert {answer.status_code for answer in answers} == {404}, path
        assert len({answer.data for answer in answers}) == 1


def test_the_code_is_no_secret_that_the_log_keeps(commands: FlaskClient, ana: Headers) -> None:
    game = open_game(commands, ana, visibility="private")
    assert game["invitation_code"] not in str(game["events"])


VIOLET = [
    *("aqueduct", "black_market", "hacienda", "storehouse", "hospice"),
    *("office", "large_market", "small_wharf", "factory", "university", "harbor", "wharf"),
    *("guild_hall", "residence", "fortress", "customs_house", "cloister"),
]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"buildings": "random"},
        {"buildings": "draft"},
        {"buildings": "custom", "custom_buildings": VIOLET},
        {"buildings": "random", "never_together": [["hacienda", "forest_house"]]},
        {"hidden_points": False, "placement": "at_once"},
        {"corn_start": "one_less", "swap_factory_university": True},
        {"seating": "random"},
    ],
)
def test_a_game_starts_with_each_option(
    commands: FlaskClient, players: list[Headers], options: Document
) -> None:
    running = start(commands, players, **options)
    assert running.state["status"] == "running"
    for option, value in options.items():
        assert running.state["options"][option] == value
    drafts = options.get("buildings") == "draft"
    asked = "choose_building" if drafts else "choose_role"
    assert running.state["awaiting"][0]["decision"] == asked


def test_126_points_are_for_five_players(commands: FlaskClient, ana: Headers) -> None:
    game = open_game(commands, ana, options={"points_supply": "126"})
    path = f"/v1/games/{game['id']}"
    for number in range(4):
        refused = post(commands, ana, f"{path}/start")
        assert refused.status_code == (409 if number == 0 else 422)
        ok(post(commands, register(commands, f"guest-{number}"), f"{path}/players"))
    assert refused.get_json()["code"] == "option_not_allowed"
    assert refused.get_json()["rule"] == "10"
    state = ok(post(commands, ana, f"{path}/start"))["state"]
    assert state["supply"]["victory_points"] == 126


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"buildings": "custom", "custom_buildings": ["hacienda"]}, "building_set_not_allowed"),
        ({"custom_buildings": ["hacienda"]}, "option_not_allowed"),
        ({"never_together": [["hacienda", "hacienda"]]}, "option_not_allowed"),
    ],
)
def test_a_game_that_cannot_be_is_refused_when_it_is_opened(
    commands: FlaskClient, ana: Headers, options: Document, code: str
) -> None:
    refused = post(commands, ana, "/v1/games", {"options": options})
    assert problem(refused) == (422, code)
    assert refused.get_json()["rule"] in {"8.1", "10"}
    assert refused.get_json()["errors"][0]["pointer"] == "/options"


@pytest.mark.parametrize(
    ("wish", "pointer"),
    [
        ({"name": "x"}, "/name"),
        ({"visibility": "secret"}, "/visibility"),
        ({"nonce": ""}, "/nonce"),
        ({"nonce": "two words"}, "/nonce"),
        ({"nonce": "x" * 65}, "/nonce"),
        ({"options": None}, "/options"),
        ({"options": {"colour": "red"}}, "/options/colour"),
        ({"options": {"hidden_points": 1}}, "/options/hidden_points"),
        ({"options": {"placement": "later"}}, "/options/placement"),
        ({"options": {"points_supply": 126}}, "/options/points_supply"),
        ({"options": {"never_together": [["hacienda"]]}}, "/options/never_together/0"),
        ({"options": {"never_together": [["hacienda", "x"]]}}, "/options/never_together/0/1"),
        ({"options": {"never_together": [["wharf", "harbor"]] * 667}}, "/options/never_together"),
        ({"options": {"custom_buildings": "hacienda"}}, "/options/custom_buildings"),
    ],
)
def test_a_faulty_wish_is_refused_with_a_pointer(
    commands: FlaskClient, ana: Headers, wish: Document, pointer: str
) -> None:
    refused = post(commands, ana, "/v1/games", wish)
    assert problem(refused) == (422, "invalid")
    assert {fault["pointer"] for fault in refused.get_json()["errors"]} == {pointer}


def test_playing_takes_a_token_with_its_scope(commands: FlaskClient, ana: Headers) -> None:
    terms = {"label": "reader", "scopes": ["games:read"]}
    token = ok(post(commands, ana, "/v1/me/tokens", terms))["token"]
    reader = {"Authorization": f"Bearer {token}"}
    assert problem(post(commands, reader, "/v1/games")) == (403, "missing_scope")
    assert problem(post(commands, {}, "/v1/games")) == (401, "unauthorized")
