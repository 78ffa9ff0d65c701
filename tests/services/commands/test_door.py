"""Moves that are made before Flask: answered as the app answers, and refused by nobody else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient
from structlog.testing import capture_logs
from werkzeug.test import TestResponse

from services.commands import door
from services.commands.app import create_app
from services.commands.game_schemas import MoveRequestSchema
from shared.config import Settings
from shared.engine import RuleViolation
from shared.engine.commands import Command
from shared.engine.options import Options
from shared.eventstore.fold import fold
from shared.eventstore.store import Appended, EventStore
from shared.http import observe
from shared.http.problems import Problem
from shared.http.resources import resources_of
from shared.http.tokens import Token
from shared.ids import uuid7
from shared.table import decide
from shared.table.state import Status
from shared.wire.moves import MalformedMove, encode_move
from tests.services.commands.conftest import Headers, Running, ok, problem, start
from tests.services.conftest import closing, inside_of, register
from tests.tables import SEED, Play, playable

VARYING = ("X-Request-Id", "RateLimit", "ETag", "Content-Length")
CRAFT = {"type": "choose_role", "role": "craftsman"}
BUILD = {"type": "choose_role", "role": "builder"}
FLAGS = (
    *("decline_privilege", "decline_hospice", "as_forest", "decline_university"),
    *("exchange", "to", "barrels", "warehouses", "goods", "x"),
)
VALUES: tuple[object, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    -1,
    99,
    1.0,
    "",
    "1",
    "corn",
    "san_juan",
    "factory",
    [],
    {},
)


@pytest.fixture
def inside(commands: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that went on into the app."""
    return inside_of(commands, door.MovingDoor, monkeypatch)


def in_app(running: Running, seat: int, move: object, **headers: str) -> TestResponse:
    """Make a move in a spelling that is not the door's."""
    return running.client.post(
        f"{running.path}/moves",
        data=json.dumps({"move": move}),
        content_type="application/json; charset=utf-8",
        headers={**running.seats[seat], **{k.replace("_", "-"): v for k, v in headers.items()}},
    )


def steady(answer: TestResponse) -> dict[str, str]:
    """What of the headers does not differ from move to move."""
    return {name: value for name, value in answer.headers if name not in VARYING}


def test_a_plain_move_is_answered_as_the_app_answers_it(
    running: Running, inside: list[str]
) -> None:
    at_the_door = running.move(0, CRAFT)
    assert inside == []
    by_the_app = in_app(running, 1, BUILD)
    assert len(inside) == 1
    assert at_the_door.status == by_the_app.status == "201 CREATED"
    assert steady(at_the_door) == steady(by_the_app)
    first, second = ok(at_the_door), ok(by_the_app)
    assert first.keys() == second.keys()
    assert second["first_version"] == first["last_version"] + 1
    assert at_the_door.headers["ETag"].startswith(f'"{first["last_version"]}.0.')
    assert int(at_the_door.headers["Content-Length"]) == len(at_the_door.data)


def test_a_move_may_depend_on_the_version_and_on_the_decision(
    running: Running, inside: list[str]
) -> None:
    [asked] = running.state["awaiting"]
    body = {"move": CRAFT, "decision_id": asked["decision_id"]}
    answer = running.client.post(
        f"{running.path}/moves",
        json=body,
        headers={**running.seats[0], "If-Match": f'"{running.state["version"]}.0.1"'},
    )
    assert (answer.status_code, inside) == (201, [])


@pytest.mark.parametrize(
    ("wrong", "refused"),
    [
        ((0, {"move": {"type": "choose_role", "role": "prospector_9"}}, {}), (422, "invalid")),
        ((0, {"move": {"type": "pass"}}, {}), (422, "may_not_pass")),
        ((1, {"move": CRAFT}, {}), (409, "not_awaited")),
        ((0, {"move": CRAFT, "decision_id": "0.999"}, {}), (409, "decision_closed")),
        ((0, {"move": CRAFT, "decision_id": "0.1\n"}, {}), (422, "invalid")),
        ((0, {"move": CRAFT, "decision_id": None}, {}), (422, "invalid")),
        ((0, {"move": CRAFT, "more": 1}, {}), (422, "invalid")),
        ((0, {"move": CRAFT}, {"If-Match": '"1.0.1"'}), (412, "stale")),
        ((0, {"move": CRAFT}, {"If-Match": "x"}), (400, "bad_request")),
        ((0, {"move": CRAFT}, {"Idempotency-Key": " "}), (400, "bad_idempotency_key")),
        ((0, {"move": CRAFT}, {"Content-Encoding": "gzip"}), (415, "unsupported_media_type")),
        ((0, {"move": CRAFT}, {"Content-Type": "text/plain"}), (415, "unsupported_media_type")),
        ((0, [CRAFT], {}), (422, "invalid")),
    ],
)
def test_what_is_refused_the_app_refuses(
    running: Running, inside: list[str], wrong: tuple[int, Any, Headers], refused: tuple[int, str]
) -> None:
    seat, body, headers = wrong
    answer = running.client.post(
        f"{running.path}/moves",
        data=json.dumps(body),
        headers={"Content-Type": "application/json", **running.seats[seat], **headers},
    )
    assert problem(answer) == refused
    assert inside == [f"{running.path}/moves"]


def test_a_move_counts_once_whether_it_is_accepted_or_refused(settings: Settings) -> None:
    """Of a quota that hardly comes back while the test runs."""
    with closing(create_app(replace(settings, rate_limits="writes=1000/86400"))) as client:
        running = start(client, [register(client, name) for name in ("Ana", "Bob", "Cid")])
        before = left(running.move(0, {"type": "pass"}))
        assert left(running.move(0, {"type": "pass"})) == before - 1
        assert left(running.move(0, CRAFT)) == before - 2
        assert left(running.move(0, CRAFT)) == before - 3


def left(answer: TestResponse) -> int:
    """How many writes its sender has left."""
    return int(answer.headers["RateLimit"].split("r=")[1].split(";")[0])


def test_a_token_without_the_right_is_refused(
    running: Running, inside: list[str], commands: FlaskClient
) -> None:
    cannot = ok(
        commands.post(
            "/v1/me/tokens",
            json={"label": "reader", "scopes": ["games:read"]},
            headers=running.seats[0],
        )
    )["token"]
    running.seats[0] = {"Authorization": f"Bearer {cannot}"}
    for _ in range(2):
        assert problem(running.move(0, CRAFT)) == (403, "missing_scope")
    assert inside.count(f"{running.path}/moves") == 2


def test_a_revoked_token_is_refused_at_once(running: Running, commands: FlaskClient) -> None:
    made = ok(
        commands.post(
            "/v1/me/tokens",
            json={"label": "player", "scopes": ["games:play", "account"]},
            headers=running.seats[0],
        )
    )
    mine, running.seats[0] = running.seats[0], {"Authorization": f"Bearer {made['token']}"}
    running.play(0, **CRAFT)
    gone = commands.delete(f"/v1/me/tokens/{made['token_id']}", headers=mine)
    assert gone.status_code == 204
    assert problem(running.move(0, CRAFT)) == (401, "unauthorized")


def test_a_retry_gets_the_stored_answer(running: Running, inside: list[str]) -> None:
    first = running.move(0, CRAFT, Idempotency_Key="key-1")
    assert (first.status_code, inside) == (201, [])
    again = running.move(0, CRAFT, Idempotency_Key="key-1")
    spelled_otherwise = in_app(running, 0, CRAFT, Idempotency_Key="key-1")
    for answer in (again, spelled_otherwise):
        assert answer.data == first.data
        assert answer.headers["Idempotent-Replayed"] == "true"
        assert answer.headers["ETag"] == first.headers["ETag"]
    assert problem(running.move(0, BUILD, Idempotency_Key="key-1")) == (
        422,
        "idempotency_key_reused",
    )


def test_a_retry_is_none_even_where_the_move_is_legal_again(running: Running) -> None:
    first = running.move(0, CRAFT, Idempotency_Key="key-1")
    rng, store = random.Random(4), resources_of(running.client.application).store
    while True:
        table = fold(store.read(running.game_id))
        assert table is not None and table.game is not None
        seat = table.game.awaiting[0].seat
        moves = [encode_move(command) for command in playable(table.game, seat)]
        if seat == 0 and CRAFT in moves:
            break
        running.play(seat, **rng.choice(moves))
    again = running.move(0, CRAFT, Idempotency_Key="key-1")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.data == first.data
    assert store.head(running.game_id).version == table.version


def test_what_may_have_been_stored_is_not_tried_again(
    running: Running, inside: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit: the client is told to ask, not that it failed."""
    append, calls = EventStore.append, []

    def break_off(self: EventStore, *args: Any, **kwargs: Any) -> Appended:
        calls.append(append(self, *args, **kwargs))
        raise psycopg.OperationalError("the connection is lost")

    with monkeypatch.context() as patched:
        patched.setattr(EventStore, "append", break_off)
        refused = running.move(0, CRAFT)
    assert problem(refused) == (503, "unavailable")
    assert request_ids(running)[-1] == refused.headers["X-Request-Id"]
    assert (len(calls), len(inside)) == (1, 1)
    assert problem(running.move(0, CRAFT)) == (409, "not_awaited")


def test_a_move_at_the_door_is_logged_like_all_else(running: Running, inside: list[str]) -> None:
    observe._shown.clear()
    connections = observe._CONNECTIONS.labels("commands", "open")
    connections.set(0)
    with capture_logs() as logs:
        answer = running.move(0, CRAFT, X_Request_Id="mine-1")
    assert inside == []
    assert connections._value.get() >= 1
    assert answer.headers["X-Request-Id"] == "mine-1"
    [line] = [line for line in logs if line["event"] == "request"]
    assert line["route"] == "/v1/games/<game_id>/moves"
    assert (line["service"], line["request_id"], line["status"]) == ("commands", "mine-1", 201)
    assert request_ids(running)[-1] == "mine-1"


def request_ids(running: Running) -> list[str]:
    """Of each event, by which request it came."""
    with resources_of(running.client.application).pool.connection() as connection:
        rows = connection.execute(
            "select private ->> 'request_id' from es.events where game_id = %s order by version",
            (running.game_id,),
        ).fetchall()
    return [row[0] for row in rows]


def test_what_the_door_reads_and_the_rules_allow_the_schema_lets_through() -> None:
    """Else a move would be accepted or refused by how its request is spelled."""
    rng, schema, allowed, refused = random.Random(11), MoveRequestSchema(), 0, 0
    for number in range(12):
        play = Play(3, Options(buildings="random"), rng=random.Random(number)).start()
        while play.table.status is Status.RUNNING:
            play.moves(3)
            for body in spoiled(play, rng):
                if (said := reading(body)) is None or not is_allowed(play, said.command):
                    refused += 1
                else:
                    allowed += 1
                    assert schema.load(said.body)["move"] == said.command
    assert min(allowed, refused) > 200


def spoiled(play: Play, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Moves for the seat whose turn it is, some of them no longer what they were."""
    game = play.table.game
    assert game is not None
    if not game.awaiting:
        return
    for command in rng.choices(playable(game, game.awaiting[0].seat), k=4):
        body = {"move": encode_move(command)}
        yield body
        yield spoil(json.loads(json.dumps(body)), rng)


def spoil(body: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Change, leave out or add one thing somewhere."""
    inside = body["move"]
    while (
        inner := [part for part in inside.values() if isinstance(part, dict)]
    ) and rng.random() < 0.5:
        inside = rng.choice(inner)
    key = rng.choice([*inside, *FLAGS])
    if isinstance(inside.get(key), list) and inside[key] and rng.random() < 0.7:
        inside[key][rng.randrange(len(inside[key]))] = rng.choice(VALUES)
    elif rng.random() < 0.2:
        inside.pop(key, None)
    else:
        inside[key] = rng.choice(VALUES)
    return body


def reading(body: dict[str, Any]) -> door._Wish | None:
    try:
        return door._read(uuid7(), Token.make(), json.dumps(body).encode())
    except (Problem, MalformedMove):
        return None


def is_allowed(play: Play, command: Command) -> bool:
    game = play.table.game
    assert game is not None
    account = play.table.seats[game.awaiting[0].seat]
    try:
        decide.move(play.table, account, command, play.draws, SEED)
    except RuleViolation:
        return False
    return True
