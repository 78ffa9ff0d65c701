"""Moves: what is accepted, what is refused and how, and what the answer tells."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient
from marshmallow import Schema

from services.commands.move_examples import MOVES
from shared.engine import commands as engine
from shared.engine.options import Options
from shared.eventstore.records import part_of
from shared.eventstore.verify import verify_chain
from shared.http.move_schemas import ExchangeSchema, GuestSchema, MoveSchema
from shared.http.resources import resources
from shared.readmodel.keys import MARKS
from shared.wire.moves import decode_move, encode_move
from tests.services.commands.conftest import (
    Document,
    Headers,
    Running,
    go_on,
    ok,
    open_game,
    post,
    problem,
    sit_down,
)
from tests.services.conftest import register

CRAFT = {"type": "choose_role", "role": "craftsman"}
PLACE: Document = {"type": "place_colonists", "island": [], "city": {}}


def test_the_answer_tells_what_happened_and_whom_the_game_waits_for(running: Running) -> None:
    before = running.state
    answer = running.move(0, CRAFT)
    change = ok(answer)
    assert answer.status_code == 201
    assert change["first_version"] == before["version"] + 1
    assert change["last_version"] == change["state"]["version"]
    assert [event["version"] for event in change["events"]] == list(
        range(change["first_version"], change["last_version"] + 1)
    )
    assert change["events"][0]["type"] == "role_chosen"
    assert change["awaiting"] == change["state"]["awaiting"]
    assert answer.headers["ETag"] == f'"{change["last_version"]}.0.1"'
    assert change["head_hash"] == change["events"][-1]["hash"]
    assert len({event["command_id"] for event in change["events"]}) == 1


def test_the_answer_shows_no_point_totals_but_the_movers(running: Running) -> None:
    players = running.play(0, **CRAFT)["state"]["players"]
    assert [player["victory_points"] for player in players] == [0, None, None]


def test_what_was_answered_is_what_was_stored(running: Running) -> None:
    change = running.play(0, **CRAFT)
    with running.client.application.app_context():
        records = resources().store.read(running.game_id)
    assert verify_chain(records) is None
    assert [record.text for record in records[change["first_version"] - 1 :]] == [
        event["record"] for event in change["events"]
    ]


def test_where_a_move_came_from_is_stored_beside_it_and_never_in_it(
    running: Running, postgres_url: str
) -> None:
    change = ok(running.move(0, CRAFT, X_Request_Id="request-7"))
    with psycopg.connect(postgres_url) as connection:
        rows = connection.execute(
            "select private, record from es.events where version = %s", (change["last_version"],)
        ).fetchall()
    [(private, record)] = rows
    assert private["request_id"] == "request-7"
    assert set(private) == {"request_id", "token_id"}
    assert private["token_id"] not in record


@pytest.mark.parametrize(
    ("seat", "move", "refusal"),
    [
        (1, CRAFT, (409, "not_awaited", "3")),
        (0, {"type": "sell_good", "good": "corn"}, (409, "other_decision", "3")),
        (0, {"type": "pass"}, (422, "may_not_pass", "3")),
        (0, {"type": "choose_role", "role": "prospector"}, (422, "role_not_available", "3")),
        (0, {**CRAFT, "decline_privilege": True}, (422, "no_privilege_to_decline", "7")),
    ],
)
def test_a_refused_move_names_the_rule_and_changes_nothing(
    running: Running, seat: int, move: Document, refusal: tuple[int, str, str]
) -> None:
    refused = running.move(seat, move)
    document = refused.get_json()
    assert (refused.status_code, document["code"], document["rule"]) == refusal
    assert document["game_version"] == running.state["version"]
    change = running.play(0, **CRAFT)
    assert change["first_version"] == document["game_version"] + 1


def test_only_the_players_of_a_running_game_move(commands: FlaskClient, running: Running) -> None:
    stranger = register(commands, "stranger")
    refused = post(commands, stranger, f"{running.path}/moves", {"move": CRAFT})
    assert problem(refused) == (409, "not_joined")
    waiting = open_game(commands, stranger)
    refused = post(commands, stranger, f"/v1/games/{waiting['id']}/moves", {"move": CRAFT})
    assert problem(refused) == (409, "game_not_running")


@pytest.mark.parametrize(
    ("move", "pointers"),
    [
        (None, {"/move"}),
        ("pass", {"/move"}),
        ({}, {"/move/type"}),
        ({"type": "resign"}, {"/move/type"}),
        ({"type": ["pass"]}, {"/move/type"}),
        ({"type": "pass", "why": 1}, {"/move/why"}),
        ({"type": "choose_role"}, {"/move/role"}),
        ({"type": "choose_role", "role": "king"}, {"/move/role"}),
        ({"type": "choose_role", "role": 7, "x": 1}, {"/move/role", "/move/x"}),
        ({**CRAFT, "decline_privilege": 1}, {"/move/decline_privilege"}),
        ({"type": "load_goods", "good": "corn", "ship": True}, {"/move/ship"}),
        ({"type": "load_goods", "good": "corn", "ship": -1}, {"/move/ship"}),
        ({"type": "load_goods", "good": "corn", "ship": "titanic"}, {"/move/ship"}),
        ({**PLACE, "island": [0, "1"]}, {"/move/island/1"}),
        ({**PLACE, "city": {"factory": -1}}, {"/move/city/factory"}),
        ({**PLACE, "city": {"castle": 1}}, {"/move/city/castle"}),
        ({"type": "store_goods", "barrels": {"corn": 1_000_001}}, {"/move/barrels/corn"}),
        ({"type": "build", "building": "factory", "exchange": {"x": 1}}, {"/move/exchange/x"}),
        ({"type": "move_guests", "guests": [{"to": None}]}, {"/move/guests/0/to"}),
        ({"type": "move_guests", "guests": []}, {"/move/guests"}),
    ],
)
def test_what_is_no_move_is_refused_with_pointers(
    running: Running, move: object, pointers: set[str]
) -> None:
    refused = post(running.client, running.seats[0], f"{running.path}/moves", {"move": move})
    assert problem(refused) == (422, "invalid")
    assert {fault["pointer"] for fault in refused.get_json()["errors"]} == pointers


def test_the_schemas_know_every_move_with_all_its_arguments_and_no_others() -> None:
    def names(schema: Schema) -> set[str]:
        return set(schema.fields)

    assert names(ExchangeSchema()) == set(engine.Exchange.__struct_fields__)
    assert names(GuestSchema()) == set(engine.Guest.__struct_fields__)
    known = {command.__struct_config__.tag: command for command in engine.Command.__subclasses__()}
    assert set(known) == set(MoveSchema.type_schemas)
    for tag, schema in MoveSchema.type_schemas.items():
        assert names(schema) == {"type", *known[tag].__struct_fields__}


def test_every_move_has_an_example_that_fits_its_schema() -> None:
    schema: Any = MoveSchema()
    moves: list[Document] = [example["value"]["move"] for example in MOVES.values()]
    assert {move["type"] for move in moves} == set(MoveSchema.type_schemas)
    for move in moves:
        assert schema.load(move) == decode_move(move)


def test_a_move_that_names_a_decision_counts_while_that_is_open(running: Running) -> None:
    open_now = running.state["awaiting"][0]["decision_id"]
    for wrong in ("0.1", "1" + open_now[1:]):
        body = {"move": CRAFT, "decision_id": wrong}
        refused = post(running.client, running.seats[0], f"{running.path}/moves", body)
        assert problem(refused) == (409, "decision_closed")
        assert refused.get_json()["game_version"] == running.state["version"]
    body = {"move": CRAFT, "decision_id": open_now}
    path = f"{running.path}/moves"
    assert post(running.client, running.seats[0], path, body).status_code == 201
    assert problem(post(running.client, running.seats[0], path, body)) == (409, "decision_closed")


@pytest.mark.parametrize("form", ['"{}.0.1"', 'W/"{}.w.1"', '"{}"', '"1.w.1", "{}.2.1"'])
def test_if_match_compares_the_version_alone(running: Running, form: str) -> None:
    version = running.state["version"]
    stale = running.move(0, CRAFT, If_Match=form.format(version - 1))
    assert problem(stale) == (412, "stale")
    assert stale.get_json()["game_version"] == version
    ahead = running.move(0, CRAFT, If_Match=form.format(version + 1))
    assert problem(ahead) == (412, "stale")
    assert running.move(0, CRAFT, If_Match=form.format(version)).status_code == 201


@pytest.mark.parametrize("header", ["*", "7", '"seven"', '""', '"7.0.1",', '"7.0.1" "8.0.1"'])
def test_if_match_holds_etags_of_the_game(running: Running, header: str) -> None:
    assert problem(running.move(0, CRAFT, If_Match=header)) == (400, "bad_request")


def test_a_move_wakes_the_projector_for_its_part(running: Running) -> None:
    part = part_of(running.game_id)
    with running.client.application.app_context():
        redis = resources().redis
        redis.delete(MARKS)
        running.play(0, **CRAFT)
        deadline = time.monotonic() + 10
        while redis.lrange(MARKS, 0, -1) != [str(part).encode()]:  # in a thread, soon
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_the_last_move_reveals_the_seed_and_all_points(
    commands: FlaskClient, players: list[Headers]
) -> None:
    running, seat, move = one_move_before_the_end(commands, players)
    change = running.play(seat, **move)
    assert [event["type"] for event in change["events"][-2:]] == ["game_ended", "seed_revealed"]
    assert (change["state"]["status"], change["awaiting"]) == ("finished", [])
    assert change["state"]["winners"]
    assert None not in [player["victory_points"] for player in change["state"]["players"]]
    late = running.move(seat, move)
    assert problem(late) == (409, "game_over")
    assert late.get_json()["rule"] == "5"


def test_a_preview_of_the_last_move_stops_before_the_scoring(
    commands: FlaskClient, players: list[Headers]
) -> None:
    running, seat, move = one_move_before_the_end(commands, players)
    foreseen = running.preview(seat, move)
    assert (foreseen["ends_game"], foreseen["chance"]) == (True, False)
    assert foreseen["state"]["status"] == "running"
    assert {"game_ended", "seed_revealed"}.isdisjoint(event["type"] for event in foreseen["events"])
    totals = [player["victory_points"] for player in foreseen["state"]["players"]]
    assert [total is None for total in totals] == [other != seat for other in range(3)]


def one_move_before_the_end(
    client: FlaskClient, players: list[Headers]
) -> tuple[Running, int, Document]:
    """Give a game, who is to move, and his move that ends it, without a draw before the end."""
    drawn = {"plantations_turned_up"}
    while drawn:
        play = sit_down(client, players, Options()).moves(10_000)
        _, last = play.unstored.pop()
        drawn = {"plantations_turned_up"} & {record.type for record in last}
    seat, command = play.last_move
    return go_on(client, players, play), seat, encode_move(command)


def test_a_preview_tells_what_the_move_then_does_and_stores_nothing(running: Running) -> None:
    foreseen = running.preview(0, {"type": "choose_role", "role": "mayor"})
    assert foreseen["version"] == running.state["version"]
    assert (foreseen["chance"], foreseen["ends_game"]) == (False, False)
    change = running.play(0, type="choose_role", role="mayor")
    assert change["first_version"] == foreseen["version"] + 1
    assert [(event["type"], event["body"]) for event in foreseen["events"]] == [
        (event["type"], event["body"]) for event in change["events"]
    ]
    assert foreseen["awaiting"] == change["awaiting"]
    assert foreseen["state"]["players"] == change["state"]["players"]


def test_a_preview_stops_before_a_draw(running: Running) -> None:
    running.play(0, type="choose_role", role="settler")
    for seat in (0, 1):
        running.play(seat, type="pass")
    foreseen = running.preview(2, {"type": "pass"})
    assert foreseen["chance"]
    assert foreseen["awaiting"] == []
    assert "plantations_turned_up" not in [event["type"] for event in foreseen["events"]]
    drawn = running.play(2, type="pass")
    assert "plantations_turned_up" in [event["type"] for event in drawn["events"]]


def test_a_preview_is_refused_as_the_move_would_be(running: Running) -> None:
    for seat, move in ((1, CRAFT), (0, {"type": "pass"}), (0, {"type": "resign"})):
        body = {"move": move}
        refusals = [
            post(running.client, running.seats[seat], f"{running.path}/{operation}", body)
            for operation in ("moves", "preview")
        ]
        documents = [refused.get_json() for refused in refusals]
        for document in documents:
            del document["request_id"]
        assert documents[0] == documents[1]
