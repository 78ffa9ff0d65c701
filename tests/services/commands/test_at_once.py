"""Many at once, and this process behind others: nothing is done twice, nobody is told wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import TypeVar
from uuid import UUID

import psycopg
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.commands.app import create_app
from services.commands.games import Games
from shared.config import Settings
from shared.engine.options import Options
from shared.eventstore.verify import verify_chain
from shared.http.resources import resources_of
from tests.servers import empty_database
from tests.services.commands.conftest import (
    Headers,
    Running,
    go_on,
    ok,
    open_game,
    post,
    problem,
    sit_down,
    start,
)
from tests.services.conftest import closing, register
from tests.tables import Play

T = TypeVar("T")
CRAFT = {"type": "choose_role", "role": "craftsman"}


def at_once(number: int, act: Callable[[int], T]) -> list[T]:
    """Give what each of so many threads got, all of them starting together."""
    barrier = Barrier(number)

    def one(index: int) -> T:
        barrier.wait()
        return act(index)

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(one, range(number)))


@pytest.fixture
def elsewhere(settings: Settings, running: Running) -> Iterator[Running]:
    """The same game by way of another process of the service, which keeps its own copy."""
    with closing(create_app(settings)) as client:
        other = Running(client, running.path, running.seats, running.state)
        other.preview(0, CRAFT)  # now it has a copy
        yield other


def test_of_two_answers_to_one_decision_exactly_one_counts(
    running: Running, elsewhere: Running
) -> None:
    tables = [running, elsewhere] * 4
    answers = at_once(8, lambda index: tables[index].move(0, CRAFT))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    [accepted] = [answer for answer in answers if answer.status_code == 201]
    version = accepted.get_json()["last_version"]
    for refused in answers:
        if refused is not accepted:
            assert refused.get_json()["code"] == "not_awaited"
            assert refused.get_json()["game_version"] == version


def test_the_same_key_a_hundred_times_from_eight_threads_is_one_move(running: Running) -> None:
    def insist(_: int) -> set[bytes]:
        answers = [running.move(0, CRAFT, Idempotency_Key="key-1") for _ in range(100)]
        assert {answer.status_code for answer in answers} == {201}
        return {answer.data for answer in answers}

    bodies = set.union(*at_once(8, insist))
    assert len(bodies) == 1
    records = resources_of(running.client.application).store.read(running.game_id)
    assert [record.type for record in records].count("role_chosen") == 1
    assert verify_chain(records) is None


def test_the_last_seat_goes_to_one(commands: FlaskClient, ana: Headers) -> None:
    path = f"/v1/games/{open_game(commands, ana)['id']}"
    guests = [register(commands, f"guest-{number}") for number in range(8)]

    def join(index: int) -> TestResponse:
        return post(commands, guests[index], f"{path}/players")

    answers = at_once(8, join)
    assert sorted(answer.status_code for answer in answers) == [201] * 4 + [409] * 4
    codes = {problem(answer) for answer in answers if answer.status_code == 409}
    assert codes == {(409, "game_full")}


def test_a_start_and_a_leave_at_once_agree_on_who_plays(
    commands: FlaskClient, players: list[Headers]
) -> None:
    for _ in range(10):
        path = f"/v1/games/{open_game(commands, players[0])['id']}"
        for player in players[1:]:
            ok(post(commands, player, f"{path}/players"))

        def act(index: int) -> TestResponse:
            if index:
                return commands.delete(f"{path}/players/me", headers=players[2])  # noqa: B023
            return post(commands, players[0], f"{path}/start")  # noqa: B023

        started, left = at_once(2, act)
        assert started.status_code == 201
        seats = started.get_json()["state"]["seats"]
        if left.status_code == 200:
            assert len(seats) == 2
        else:
            assert problem(left) == (409, "game_not_open")
            assert len(seats) == 3


def test_a_refusal_by_a_process_that_is_behind_is_of_the_newest_state(
    running: Running, elsewhere: Running
) -> None:
    running.play(0, **CRAFT)
    refused = elsewhere.move(0, {"type": "pass"})
    assert problem(refused) == (409, "not_awaited")
    assert refused.get_json()["game_version"] == running.state["version"]


def test_a_process_that_is_behind_makes_a_move_that_still_counts(
    running: Running, elsewhere: Running
) -> None:
    running.play(0, **CRAFT)
    change = elsewhere.play(1, type="choose_role", role="mayor")
    assert change["first_version"] == running.state["version"] + 1


def test_if_match_is_judged_by_the_log_and_not_by_the_copy(
    running: Running, elsewhere: Running
) -> None:
    before = running.state["version"]
    running.play(0, **CRAFT)
    stale = elsewhere.move(1, CRAFT, If_Match=f'"{before}.1.1"')
    assert problem(stale) == (412, "stale")
    assert stale.get_json()["game_version"] == running.state["version"]
    move = {"type": "choose_role", "role": "mayor"}
    current = elsewhere.move(1, move, If_Match=f'"{running.state["version"]}.1.1"')
    assert current.status_code == 201


def test_a_conflict_is_final_with_if_match(running: Running, elsewhere: Running) -> None:
    """Not even a move that would still count is decided again."""
    version = running.state["version"]
    running.play(0, **CRAFT)
    move = {"type": "choose_role", "role": "mayor"}
    assert problem(elsewhere.move(1, move, If_Match=f'"{version}"')) == (412, "stale")


def test_a_preview_is_of_the_newest_state(running: Running, elsewhere: Running) -> None:
    running.play(0, **CRAFT)
    foreseen = elsewhere.preview(1, {"type": "choose_role", "role": "mayor"})
    assert foreseen["version"] == running.state["version"]


def test_a_retry_is_answered_even_where_the_move_would_now_be_refused(
    running: Running, elsewhere: Running
) -> None:
    first = running.move(
        0, CRAFT, Idempotency_Key="key-1", If_Match=f'"{running.state["version"]}"'
    )
    retries = [
        table.move(0, CRAFT, Idempotency_Key="key-1", If_Match='"1"')
        for table in (running, elsewhere)
    ]
    for retry in retries:
        assert (retry.status_code, retry.data) == (201, first.data)
        assert retry.headers["Idempotent-Replayed"] == "true"
        assert retry.headers["ETag"] == first.headers["ETag"]


def play_until_the_first_builds(running: Running) -> None:
    running.play(1, type="pass")
    running.play(2, type="pass")
    running.play(1, type="choose_role", role="builder")
    running.play(1, type="pass")
    running.play(2, type="pass")


def test_a_key_whose_answer_is_forgotten_is_answered_from_the_log(
    running: Running, postgres_url: str
) -> None:
    running.play(0, type="choose_role", role="settler")
    first = running.move(0, {"type": "pass"}, Idempotency_Key="key-1")
    with psycopg.connect(postgres_url) as connection:
        connection.execute("delete from es.requests")
    play_until_the_first_builds(running)
    retry = running.move(0, {"type": "pass"}, Idempotency_Key="key-1")
    assert retry.get_json() == first.get_json()
    assert retry.headers["Idempotent-Replayed"] == "true"
    running.play(0, type="pass")


def test_so_is_one_of_which_nothing_stands_beside_its_events(
    running: Running, postgres_url: str
) -> None:
    """As long as that was not written."""
    running.play(0, type="choose_role", role="settler")
    first = running.move(0, {"type": "pass"}, Idempotency_Key="key-1")
    play_until_the_first_builds(running)
    with psycopg.connect(postgres_url) as connection:
        connection.execute("delete from es.requests")
        connection.execute("alter table es.events disable trigger append_only")
        connection.execute("update es.events set private = private - 'request_hash'")
        connection.execute("alter table es.events enable always trigger append_only")
    retry = running.move(0, {"type": "pass"}, Idempotency_Key="key-1")
    assert retry.get_json() == first.get_json()


def test_a_key_whose_answer_is_forgotten_is_not_taken_for_another_request(
    running: Running, postgres_url: str
) -> None:
    running.play(0, type="choose_role", role="settler")
    running.move(0, {"type": "pass"}, Idempotency_Key="key-1")
    with psycopg.connect(postgres_url) as connection:
        connection.execute("delete from es.requests")
    play_until_the_first_builds(running)
    other = running.move(
        0, {"type": "build", "building": "small_indigo_plant"}, Idempotency_Key="key-1"
    )
    assert problem(other) == (422, "idempotency_key_reused")


def test_a_game_whose_history_is_another_after_a_restore_is_folded_anew(
    commands: FlaskClient, players: list[Headers], postgres_url: str
) -> None:
    options = Options(seating="as_joined")
    play = sit_down(commands, players, options)
    running = go_on(commands, players, play)
    running.play(0, **CRAFT)
    empty_database(postgres_url)
    assert problem(running.move(1, CRAFT)) == (404, "not_found")
    restored = Play(play.accounts, options, rng=Random(2), game_id=play.game_id).start()
    go_on(commands, players, restored)
    change = running.play(0, type="choose_role", role="mayor")
    assert change["first_version"] == restored.table.version + 1


def test_without_redis_commands_go_on(no_redis: Settings) -> None:
    with closing(create_app(no_redis)) as client:
        ana, bob = register(client, "Ana"), register(client, "Bob")
        assert start(client, [ana, bob]).play(0, **CRAFT)["awaiting"]


def test_the_games_used_last_are_kept(settings: Settings, players: list[Headers]) -> None:
    with closing(create_app(settings)) as client:
        store = resources_of(client.application).store
        ids = [UUID(open_game(client, players[0])["id"]) for _ in range(3)]
        games = Games(store, capacity=2)
        first, second = games.recall(ids[0]), games.recall(ids[1])
        assert games.recall(ids[0]) is first
        games.recall(ids[2])
        assert games.recall(ids[0]) is first
        assert games.recall(ids[1]) is not second
        assert games.refresh(first) is first
