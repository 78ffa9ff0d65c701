"""Bots take the seats they are given, and play whole games against whoever else is there."""

from __future__ import annotations

import os
import re
import secrets
import signal
import stat
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.automation.choosing import choose
from services.automation.client import Client, Document, register
from services.stack.process import Process, Program
from tests.stack.running import Stack, puertorico, up

SEED = 7


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bots") / "data"


@pytest.fixture(scope="module")
def stack(data: Path) -> Iterator[Stack]:
    with up(data, None, "--bots", "0") as running:
        yield running


@pytest.fixture(scope="module")
def bots(stack: Stack, data: Path) -> Iterator[Process]:
    """The bots, quick ones."""
    module = [sys.executable, "-m", "services.automation.play", "--seconds", "0.05"]
    program = Program(
        "bots", [*module, "--url", stack.address, "--data", data], log=data / "bots.log"
    )
    process = Process(program)
    process.start()
    yield process
    process.stop()


@pytest.fixture
def people(stack: Stack) -> Iterator[list[tuple[Client, str]]]:
    """Ana and Bob: their clients and accounts."""
    suffix = secrets.token_hex(3)
    found = [
        register(stack.address, f"{name}-{suffix}", "correct horse") for name in ("ana", "bob")
    ]
    yield found
    for client, _ in found:
        client.close()


def ids_of_bots(client: Client) -> dict[str, str]:
    """Account ids of the bots by name, once all have registered."""
    deadline = time.monotonic() + 30
    while len(listed := client.get("/v1/bots")["items"]) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert all(bot["kind"] == "bot" and bot["strategy"] for bot in listed)
    return {bot["name"]: bot["id"] for bot in listed}


def play_seat(client: Client, account: str, path: str, state: Document) -> Document:
    """Play an account's seat from this state to the end of the game; returns the last one."""
    while state["status"] == "running":
        seat = state["seats"].index(account)
        if any(asked["seat"] == seat for asked in state["awaiting"]):
            legal = client.get(f"{path}/legal-moves", min_version=state["version"])
            move = choose(SEED, state, legal)
            state = client.post(f"{path}/moves", {"move": move})["state"]
        else:
            time.sleep(0.05)
            state = client.get(path, min_version=state["version"])
    return state


def causes(client: Client, path: str) -> dict[str, set[str]]:
    """By actor, the causes of what he did."""
    found = defaultdict(set)
    after = 0
    while True:
        page = client.get(f"{path}/events", after=after, limit=100)
        for event in page["items"]:
            found[event["actor"]].add(event["cause"])
        if page["next"] is None:
            return found
        after = page["next"]


def test_bots_of_all_strategies_play_a_game_with_a_person(
    bots: Process, people: list[tuple[Client, str]], data: Path
) -> None:
    client, person = people[0]
    ids = ids_of_bots(client)
    assert set(ids) == {"random", "greedy", "planner"}
    wish = {"visibility": "private", "bots": list(ids.values())}
    path = f"/v1/games/{client.post('/v1/games', wish)['id']}"
    started = client.post(f"{path}/start")["state"]
    state = play_seat(client, person, path, started)
    assert state["status"] == "finished"
    assert len(state["scores"]) == 4
    by_actor = causes(client, path)
    assert by_actor.pop(person) == {"move"}
    assert by_actor == {bot: {"bot"} for bot in ids.values()}
    assert bots.exit_code() is None
    log = (data / "bots.log").read_text()
    assert "not played" not in log
    assert "refused" not in log


def test_a_bot_takes_a_seat_over_and_plays_on_after_a_crash_of_its_process(
    bots: Process, people: list[tuple[Client, str]]
) -> None:
    (ana, account), (bob, _) = people
    ids = ids_of_bots(ana)
    path = f"/v1/games/{ana.post('/v1/games', {})['id']}"
    bob.post(f"{path}/players")
    ana.post(f"{path}/start")
    given = bob.post(f"{path}/substitute", {"bot": ids["greedy"]})["state"]
    assert bots.pid is not None
    os.kill(bots.pid, signal.SIGKILL)
    bots.stop()
    bots.start()
    assert play_seat(ana, account, path, given)["status"] == "finished"
    assert ids_of_bots(ana) == ids


def test_the_demo_plays_against_bots_and_takes_the_games_options(
    stack: Stack, bots: Process, people: list[tuple[Client, str]]
) -> None:
    assert bots.exit_code() is None
    ids_of_bots(people[0][0])
    demo = ("demo", "--url", stack.address, "--seed", "3")
    played = puertorico(
        *demo,
        *("--players", "2", "--opponents", "greedy"),
        *("--buildings", "random", "--placement", "at_once", "--no-hidden-points"),
    )
    assert played.returncode == 0, played.stderr
    assert re.search(r"^greedy +\d+", played.stdout, re.MULTILINE)
    (path,) = re.findall(rf"The game: {stack.address}(\S+)", played.stdout)
    options = people[0][0].get(path)["options"]
    assert (options["buildings"], options["placement"]) == ("random", "at_once")
    assert options["hidden_points"] is False
    unknown = puertorico(*demo, "--opponents", "nobody")
    assert unknown.returncode == 1
    assert unknown.stderr == "puertorico: no further bot called nobody takes seats here\n"


def test_nobody_else_can_read_the_bots_tokens(
    bots: Process, people: list[tuple[Client, str]], data: Path
) -> None:
    assert bots.exit_code() is None
    ids_of_bots(people[0][0])
    assert stat.S_IMODE((data / "bots.json").stat().st_mode) == 0o600
