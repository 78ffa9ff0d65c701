"""Two and more at once, over HTTP to several processes: one wins, and everybody is told so."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar
from uuid import UUID

import httpx
import pytest

from services.automation.choosing import choose
from services.automation.client import Document
from shared.eventstore.records import Record
from shared.eventstore.verify import verify_chain
from tests.faults.bots import Player, insist
from tests.faults.check import looking_at
from tests.faults.conftest import NewPlayers
from tests.faults.rig import Rig

T = TypeVar("T")
ROUNDS, THREADS, TIMES = 10, 8, 100
pytestmark = pytest.mark.faults


def at_once(acts: Sequence[Callable[[], T]]) -> list[T]:
    """What each got, all of them starting together in threads of their own."""
    barrier = Barrier(len(acts))

    def one(act: Callable[[], T]) -> T:
        barrier.wait()
        return act()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(one, acts))


def opened(players: Sequence[Player], **options: object) -> str:
    """The path of a game that all have joined."""
    creator, *others = players
    path = f"/v1/games/{creator.post('/v1/games', {'options': options})['id']}"
    for player in others:
        player.post(f"{path}/players")
    return path


def started(players: Sequence[Player]) -> tuple[str, Document]:
    """Its path and state; they sit as they joined."""
    path = opened(players, seating="as_joined")
    return path, players[0].post(f"{path}/start")["state"]


def records(running: Rig, path: str) -> list[Record]:
    """What is stored of a game, whose chain is whole."""
    with looking_at(running.up) as wiring:
        found = wiring.store.read(UUID(path.rpartition("/")[2]))
    assert verify_chain(found) is None
    return found


def problem(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def test_of_two_answers_to_one_decision_exactly_one_is_stored(
    running: Rig, new_players: NewPlayers
) -> None:
    players = new_players(2)
    path, state = started(players)
    for number in range(ROUNDS):
        player = players[state["awaiting"][0]["seat"]]
        legal = player.get(f"{path}/legal-moves", min_version=state["version"])
        headers = {"If-Match": f'"{state["version"]}"'} if number % 2 else {}
        bodies = [
            {"move": choose(seed, {}, legal), "decision_id": legal["decision_id"]}
            for seed in range(2)
        ]
        answers = at_once(
            [partial(player.send, "POST", f"{path}/moves", b, headers) for b in bodies]
        )
        won, lost = sorted(answers, key=lambda answer: answer.status_code)
        assert won.status_code == 201
        assert problem(lost) in {(409, "decision_closed"), (409, "not_awaited"), (412, "stale")}
        assert won.json()["first_version"] == state["version"] + 1
        state = won.json()["state"]
        assert state["version"] == len(records(running, path))


def test_the_same_key_from_many_threads_over_a_kill_and_a_restart_is_one_move(
    running: Rig, new_players: NewPlayers
) -> None:
    players = new_players(2)
    path, state = started(players)
    body = {"move": {"type": "choose_role", "role": "craftsman"}}

    send = partial(players[0].send, "POST", f"{path}/moves", body, {"Idempotency-Key": "the-key"})

    def keep_on() -> list[httpx.Response]:
        answers = []
        for _ in range(TIMES // THREADS + 1):
            answers.append(insist(send))
            time.sleep(0.05)
        return answers

    with ThreadPoolExecutor(THREADS) as threads:
        sending = [threads.submit(keep_on) for _ in range(THREADS)]
        for end in (running.kill, running.stop):
            time.sleep(0.3)
            end("commands")
            running.start("commands")
        answers = [answer for each in sending for answer in each.result()]
    answered = [answer for answer in answers if answer.status_code != 503]
    assert {(answer.status_code, answer.content) for answer in answered} == {
        (201, answered[0].content)
    }
    stored = [record for record in records(running, path) if record.version > state["version"]]
    assert [record.type for record in stored].count("role_chosen") == 1
    assert len(stored) == len(answered[0].json()["events"])


def test_one_key_opens_one_game(running: Rig, new_players: NewPlayers) -> None:
    [player] = new_players(1)

    create = partial(player.send, "POST", "/v1/games", {}, {"Idempotency-Key": "open"})
    answers = at_once([create] * THREADS)
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (201, answers[0].content)
    }
    assert len(records(running, f"/v1/games/{answers[0].json()['id']}")) == 2


def test_the_last_seats_go_to_whoever_is_first(running: Rig, new_players: NewPlayers) -> None:
    creator, *guests = new_players(9)
    path = opened([creator])

    answers = at_once([partial(guest.send, "POST", f"{path}/players", {}) for guest in guests])
    refused = [answer for answer in answers if answer.status_code != 201]
    assert [problem(answer) for answer in refused] == [(409, "game_full")] * 4
    assert [record.type for record in records(running, path)].count("player_joined") == 5


def test_a_start_and_a_leave_at_once_agree_on_who_plays(
    running: Rig, new_players: NewPlayers
) -> None:
    players = new_players(3)
    for _ in range(ROUNDS):
        path = opened(players)

        start = partial(players[0].send, "POST", f"{path}/start", {})
        leave = partial(players[2].send, "DELETE", f"{path}/players/me")
        began, left = at_once([start, leave])
        assert began.status_code == 201
        seats = began.json()["state"]["seats"]
        if left.status_code == 200:
            assert players[2].account not in seats
        else:
            assert problem(left) == (409, "game_not_open")
            assert players[2].account in seats
        assert len(records(running, path)) == max(
            answer.json().get("last_version", 0) for answer in (began, left)
        )
