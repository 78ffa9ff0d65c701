"""Positions set up and tried out over HTTP, by anybody."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from shared.engine.options import Options
from shared.views.state import EVERYBODY, state_document
from tests.services.commands.conftest import Document, ok
from tests.tables import Play

FACE_UP = {"plantations": {"face_up": ["corn", "corn", "sugar", "tobacco"]}}
SETTLER = [
    {"move": {"type": "choose_role", "role": "settler"}},
    {"move": {"type": "take_plantation", "tile": "quarry"}},
    {"move": {"type": "take_plantation", "tile": "corn"}},
    {"move": {"type": "pass"}},
]

VIOLET = """
    aqueduct hacienda black_market storehouse guesthouse trading_post church small_wharf
    lighthouse library harbor union_hall cloister statue residence fortress city_hall
"""

FULL_CITY = """
    small_indigo_plant small_sugar_mill indigo_plant sugar_mill tobacco_storage coffee_roaster
    small_market wharf residence city_hall
"""


def ask(client: FlaskClient, what: str, **wish: object) -> TestResponse:
    return client.post(f"/v1/analysis/{what}", json=wish)


def legal(client: FlaskClient, **wish: object) -> Document:
    return ok(ask(client, "legal-moves", **wish))


def apply(client: FlaskClient, **wish: object) -> Document:
    return ok(ask(client, "apply", **wish))


def fault(answer: TestResponse) -> tuple[str, str]:
    """The code and the place of the one fault."""
    problem = answer.get_json()
    (found,) = problem["errors"]
    return problem["code"], found["pointer"]


def test_a_short_position_has_legal_moves(commands: FlaskClient) -> None:
    found = legal(commands, players=3, position={"roles_taken": {"mayor": 0}})
    assert [asked["seat"] for asked in found["awaiting"]] == [1]
    (moves,) = found["legal_moves"]
    assert {move["role"] for move in moves["moves"]} == {
        "settler", "builder", "craftsman", "trader", "captain",
    }  # fmt: skip


def test_a_seat_that_is_not_awaited_has_none(commands: FlaskClient) -> None:
    found = legal(commands, players=3, position={}, seat=2)
    (moves,) = found["legal_moves"]
    assert (moves["seat"], moves["decision"], moves["moves"]) == (2, None, [])


def test_moves_stop_before_a_draw_that_is_not_given(commands: FlaskClient) -> None:
    found = apply(commands, players=3, position=FACE_UP, moves=[*SETTLER, *SETTLER])
    assert found["chance"] is True
    assert found["moves_applied"] == len(SETTLER)
    assert found["awaiting"] == []
    assert found["events"][-1]["type"] == "plantations_discarded"


def test_moves_go_on_with_the_draws_that_are_given(commands: FlaskClient) -> None:
    tiles = {"face_down": {"coffee": 1, "corn": 2, "indigo": 3}, "discards": {}}
    position = {"plantations": {**FACE_UP["plantations"], **tiles}}
    found = apply(commands, players=3, position=position, moves=SETTLER, draws=[0, 1, 2, 0])
    assert found["chance"] is False
    assert found["state"]["plantations"]["face_up"] == ["coffee", "corn", "indigo", "corn"]
    assert [asked["decision"] for asked in found["awaiting"]] == ["choose_role"]


def test_a_draw_beyond_the_tiles_left_is_refused(commands: FlaskClient) -> None:
    tiles = {"face_down": {"coffee": 4}, "discards": {}}
    position = {"plantations": {**FACE_UP["plantations"], **tiles}}
    answer = ask(commands, "apply", players=3, position=position, moves=SETTLER, draws=[3, 3])
    assert fault(answer) == ("impossible_position", "/draws/1")


@pytest.mark.parametrize("moves", [10, 40, 90, 150])
def test_a_game_goes_on_from_the_state_that_is_served(commands: FlaskClient, moves: int) -> None:
    rng = random.Random(moves)
    play = Play(4, Options(buildings="random"), rng=rng).start().moves(moves)
    position = json.loads(state_document(play.table, EVERYBODY))
    for _ in range(20):
        found = legal(commands, position=position)["legal_moves"][0]
        examples = [move["example"] for move in found["open_moves"]]
        move = rng.choice(examples or found["moves"])
        outcome = apply(commands, position=position, moves=[{"seat": found["seat"], "move": move}])
        if outcome["chance"] or outcome["state"]["finished"]:
            break
        position = outcome["state"]
        assert all(player["victory_points"] is not None for player in position["players"])


@pytest.mark.parametrize(
    "position",
    [
        {"supply": {"victory_points": 0}},
        {"cargo_ships": [{"capacity": 3}, {"capacity": 9}]},
        {"end_trigger": {"reason": "city", "round": 9}},
        {"plantations": {"face_up": ["corn", "indigo", "sugar", "tobacco", "coffee"]}},
        {"players": {"1": {"city": FULL_CITY.split()}}},
    ],
)
def test_what_comes_of_a_fragment_is_a_position(commands: FlaskClient, position: Document) -> None:
    moves = [{"move": {"type": "choose_role", "role": "builder"}}]
    state = apply(commands, players=3, position=position, moves=moves)["state"]
    assert legal(commands, position=state)["awaiting"] == state["awaiting"]


def test_more_barrels_than_there_are_may_be_shipped_and_stored(commands: FlaskClient) -> None:
    options = {"buildings": "custom", "custom_buildings": VIOLET.split()}
    held = {"goods": {"corn": 13, "sugar": 900}, "city": ["small_wharf*", "storehouse*"]}
    captain = [{"move": {"type": "choose_role", "role": "captain"}}]
    state = apply(
        commands, players=3, options=options, position={"players": {"0": held}}, moves=captain
    )["state"]
    (found,) = legal(commands, position=state)["legal_moves"]
    (move,) = [move["example"] for move in found["open_moves"]]
    assert move["goods"] == {"corn": 13, "sugar": 900}
    outcome = apply(commands, position=state, moves=[{"move": move}])
    assert outcome["state"]["players"][0]["victory_points"] == 913 // 2 + 1


def test_hidden_totals_must_be_supplied(commands: FlaskClient) -> None:
    play = Play(3).start()
    position = json.loads(state_document(play.table, 1))
    answer = ask(commands, "legal-moves", position=position)
    assert fault(answer) == ("impossible_position", "/position/players/0/victory_points")


@pytest.mark.parametrize(
    ("wish", "pointer"),
    [
        ({"position": {}}, "/players"),
        ({"players": 3, "position": {"players": {"3": {}}}}, "/position/players/3"),
        ({"players": 3, "position": {"hat": "red"}}, "/position"),
        ({"players": 3, "position": {}, "options": {"buildings": "draft"}}, "/options/buildings"),
        ({"players": 3, "position": {}, "seat": 3}, "/seat"),
        ({"players": 3, "position": {"players": []}}, "/players"),
        ({"position": {"players": []}, "options": {}}, "/options"),
    ],
)
def test_what_cannot_be_is_pointed_at(commands: FlaskClient, wish: Any, pointer: str) -> None:
    assert fault(ask(commands, "legal-moves", **wish)) == ("impossible_position", pointer)


def test_options_that_no_game_has_are_refused(commands: FlaskClient) -> None:
    answer = ask(commands, "legal-moves", players=3, position={}, options={"points_supply": "126"})
    assert (answer.status_code, answer.get_json()["code"]) == (422, "option_not_allowed")


def test_a_custom_set_can_be_in_play(commands: FlaskClient) -> None:
    options = {"buildings": "custom", "custom_buildings": VIOLET.split()}
    city = {"players": {"0": {"city": ["guesthouse**", "library"]}}}
    found = legal(commands, players=4, position=city, options=options)
    assert [move["type"] for move in found["legal_moves"][0]["open_moves"]] == ["move_guests"]


def test_a_refused_move_is_pointed_at(commands: FlaskClient) -> None:
    moves = [SETTLER[0], {"seat": 1, "move": {"type": "pass"}}]
    answer = ask(commands, "apply", players=3, position=FACE_UP, moves=moves)
    assert answer.status_code == 409
    assert fault(answer) == ("not_awaited", "/moves/1")


def test_a_seat_beyond_the_table_cannot_move(commands: FlaskClient) -> None:
    guests = {"type": "move_guests", "guests": [{"to": 0}]}
    answer = ask(commands, "apply", players=3, position={}, moves=[{"seat": 4, "move": guests}])
    assert fault(answer) == ("impossible_position", "/moves/0/seat")
