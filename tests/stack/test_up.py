"""`puertorico up` as its user sees it: what it says, what it refuses, and what it leaves behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest

from services.stack.checks import projection
from services.stack.data_directory import running_servers
from shared.config import Settings
from tests.stack.processes import is_gone
from tests.stack.running import PUERTORICO, Stack, puertorico, up


def refusal(*arguments: str, env: dict[str, str] | None = None) -> str:
    """What a command that cannot do its work says on standard error; its exit code is 1."""
    done = puertorico(*arguments, env=env)
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    return sentence


def registered(stack: Stack) -> dict[str, str]:
    """Somebody new; the headers that speak for him."""
    player = {"name": f"p-{uuid4().hex[:8]}", "password": "correct horse battery"}
    token = httpx.post(f"{stack.address}/v1/accounts", json=player).json()["token"]
    return {"Authorization": f"Bearer {token}"}


def eventually(holds: Callable[[], bool], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("up") / "data"


@pytest.fixture(scope="module")
def stack(data: Path) -> Iterator[Stack]:
    """One for the tests that leave it running."""
    with up(data) as running:
        yield running


def test_it_says_where_the_api_and_its_docs_are_and_both_answer(stack: Stack) -> None:
    assert f"running at {stack.address}\n" in stack.said
    assert f"{stack.address}/docs" in stack.said
    assert f"puertorico demo --players 4 --url {stack.address}\n" in stack.said
    assert httpx.get(f"{stack.address}/docs", follow_redirects=True).status_code == 200
    assert httpx.get(f"{stack.address}/v1/me").json()["code"] == "unauthorized"
    assert httpx.post(f"{stack.address}/v1/accounts", json={}).status_code == 422


def test_a_demo_plays_a_game_to_its_scores(stack: Stack) -> None:
    played = puertorico("demo", "--players", "4", "--seed", "7", "--url", stack.address)
    assert played.returncode == 0, played.stderr
    assert "The game is over" in played.stdout
    (address,) = re.findall(rf"({stack.address}\S+)/events", played.stdout)
    assert httpx.get(address).json()["status"] == "finished"


@pytest.fixture(scope="module")
def game(stack: Stack) -> str:
    """One that was played to its end."""
    played = puertorico("demo", "--players", "3", "--seed", "8", "--url", stack.address)
    (game,) = re.findall(r"/v1/games/(\S+)/events", played.stdout)
    return str(game)


def test_a_game_is_written_down_and_played_again(stack: Stack, game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    recorded = puertorico("record", game, "--url", stack.address, "--output", str(file))
    assert recorded.returncode == 0, recorded.stderr
    again = puertorico("replay", str(file))
    assert again.returncode == 0, again.stderr
    assert "This is the recorded state." in again.stdout
    assert re.search(r"^ana-\w+ .*\d+", again.stdout, re.MULTILINE)


def test_whoever_doubts_a_game_verifies_it(stack: Stack, game: str) -> None:
    head = httpx.get(f"{stack.address}/v1/games/{game}").json()["head_hash"]
    verified = puertorico("verify", game, "--url", stack.address, "--head", head)
    assert verified.returncode == 0, verified.stderr
    assert head in verified.stdout
    assert re.search(r"All \d+ draws follow", verified.stdout)
    assert "is not in the chain" in refusal(
        "verify", game, "--url", stack.address, "--head", "00" * 32
    )


def test_bots_of_each_strategy_wait_for_a_seat(stack: Stack) -> None:
    def waiting() -> set[str]:
        return {bot["name"] for bot in httpx.get(f"{stack.address}/v1/bots").json()["items"]}

    eventually(lambda: waiting() == {"random", "greedy", "planner"})


def test_a_second_up_on_the_same_data_is_refused(stack: Stack, data: Path) -> None:
    assert stack.process.poll() is None
    said = refusal("up", "--port", "0", "--data", str(data))
    assert "in use by a stack that runs already" in said


def test_the_port_is_never_lost_while_the_web_process_starts_again(stack: Stack) -> None:
    os.kill(stack.process_of("gunicorn"), signal.SIGKILL)
    assert httpx.get(f"{stack.address}/healthz", timeout=20).status_code == 200


def test_a_server_that_is_killed_comes_back_with_its_data(stack: Stack) -> None:
    player = {"name": "carlos", "password": "correct horse"}
    registered = httpx.post(f"{stack.address}/v1/accounts", json=player, timeout=30)
    assert registered.status_code == 201
    os.kill(stack.process_of("postgres"), signal.SIGKILL)
    assert stack.wait_for_line("PostgreSQL ended with code -9")
    log_in = partial(httpx.post, f"{stack.address}/v1/tokens", json=player, timeout=30)
    eventually(lambda: log_in().status_code == 201)


@pytest.mark.usefixtures("stack")
def test_the_doctor_finds_the_running_stack_well(game: str, data: Path) -> None:
    done = puertorico("doctor", "--data", str(data), "--draws")
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("\nAll is well.\n")
    assert re.search("Games over, whose draws were recomputed: [1-9]", done.stdout)
    one = puertorico("doctor", "--data", str(data), "--game", game)
    assert "Games whose chains verify: 1 " in one.stdout


def test_a_doctor_that_finds_something_says_so_by_its_exit_code(stack: Stack, data: Path) -> None:
    assert stack.process.poll() is None
    done = puertorico("doctor", "--data", str(data), "--url", "http://127.0.0.1:9", "--quick")
    assert done.returncode == 1
    assert done.stdout.endswith("\nNot well: 2.\n")
    assert "BAD  Nothing answers for the query service at http://127.0.0.1:9" in done.stdout


@contextmanager
def frozen(pids: Iterable[int]) -> Iterator[None]:
    try:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def test_the_doctor_finds_a_projector_and_a_sweeper_that_stand_still(
    stack: Stack, data: Path
) -> None:
    who = registered(stack)
    halted = [stack.process_of(f"services.projector.{name}") for name in ("worker", "sweeper")]
    with frozen(halted):
        assert httpx.post(f"{stack.address}/v1/games", json={}, headers=who).status_code == 201
        time.sleep(projection.STILL_SECONDS)
        done = puertorico("doctor", "--data", str(data), "--quick")
    assert done.returncode == 1
    (bad,) = [line for line in done.stdout.splitlines() if line.startswith("BAD")]
    assert re.match(r"BAD  The read models lack (\d+) events .* later they lack \1 of these", bad)


def test_a_demo_that_cannot_start_leaves_no_open_game_behind(stack: Stack) -> None:
    def games(status: str) -> set[str]:
        found = httpx.get(f"{stack.address}/v1/games", params={"status": status}).json()
        return {game["id"] for game in found["items"]}

    aborted, opened = games("aborted"), games("open")
    said = refusal("demo", "--players", "3", "--points-supply", "126", "--url", stack.address)
    assert "the API refused: " in said
    eventually(lambda: len(games("aborted") - aborted) == 1)
    assert games("open") == opened


def interrupted(*arguments: str, after: str) -> str:
    """What the command has said when Ctrl-C ends it, quietly; it comes when this line appears."""
    with subprocess.Popen(
        [PUERTORICO, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        line = next(line for line in process.stdout if after in line)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 128 + signal.SIGINT
        assert process.stderr.read() == ""
    return line


def test_ctrl_c_ends_a_bot_quietly_and_it_keeps_its_seat(stack: Stack) -> None:
    opened = httpx.post(f"{stack.address}/v1/games", json={}, headers=registered(stack)).json()
    address = f"{stack.address}/v1/games/{opened['id']}"
    interrupted("bot", "greedy", opened["id"], "--url", stack.address, after="has joined")
    assert len(httpx.get(address, params={"min_version": 2}).json()["members"]) == 2


def test_ctrl_c_ends_a_demo_quietly_and_aborts_its_game(stack: Stack) -> None:
    line = interrupted("demo", "--url", stack.address, after="The game: ")
    address = line.removeprefix("The game: ").strip()
    eventually(lambda: httpx.get(address).json()["status"] == "aborted")


def test_a_game_that_there_is_not_is_not_folded(stack: Stack, data: Path) -> None:
    assert stack.process.poll() is None
    unknown = puertorico("refold", str(uuid4()), "--data", str(data))
    assert unknown.returncode == 1
    assert "There is no game" in unknown.stderr


def test_stale_games_are_folded_anew_and_that_is_said(stack: Stack, game: str, data: Path) -> None:
    assert stack.process.poll() is None
    assert puertorico("refold", game, "--data", str(data)).stdout == f"Folded anew: {game}.\n"
    assert puertorico("refold", "--data", str(data)).stdout == "No game is stale now.\n"


def test_a_read_models_rebuild_finds_the_running_servers(stack: Stack, data: Path) -> None:
    assert stack.process.poll() is None
    done = puertorico("rebuild", "--data", str(data))
    assert done.returncode == 0, done.stderr
    assert "new read models are live" in done.stdout


def test_a_signal_stops_everything_in_order(tmp_path: Path) -> None:
    with up(tmp_path / "data") as stack:
        processes = stack.processes()
        stack.process.send_signal(signal.SIGINT)
        assert stack.process.wait(20) == 0
        assert stack.wait_for_line("Stopped")
        assert all(map(is_gone, processes))
    log = (tmp_path / "data" / "postgres.log").read_text()
    assert "database system is shut down" in log


def test_a_kill_leaves_nothing_running_and_the_account_is_there_after_a_restart(
    tmp_path: Path,
) -> None:
    player = {"name": "beatriz", "password": "correct horse"}
    with up(tmp_path / "data") as stack:
        assert httpx.post(f"{stack.address}/v1/accounts", json=player).status_code == 201
        processes = stack.processes()
        assert len(processes) > 8
        stack.process.kill()
        stack.process.wait()
        eventually(lambda: all(map(is_gone, processes)))
    with up(tmp_path / "data") as stack:
        assert httpx.post(f"{stack.address}/v1/tokens", json=player).status_code == 201


def test_ones_own_servers_are_used_instead(settings: Settings, tmp_path: Path) -> None:
    own = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
    with up(tmp_path / "data", own) as stack:
        player = {"name": "diego", "password": "correct horse"}
        assert httpx.post(f"{stack.address}/v1/accounts", json=player).status_code == 201
        assert running_servers(tmp_path / "data").database_url == settings.database_url
    with psycopg.connect(settings.database_url) as connection:
        assert connection.execute(
            "select name from es.accounts where kind = 'human'"
        ).fetchone() == ("diego",)
    assert not (tmp_path / "data" / "postgres").exists()


def test_a_taken_port_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refusal("up", "--port", port, "--data", str(tmp_path / "data"))
    assert f"Port {port} on 127.0.0.1 cannot be used" in said


def test_a_port_that_there_is_not_is_refused(tmp_path: Path) -> None:
    said = refusal("up", "--port", "99999", "--data", str(tmp_path / "data"))
    assert "it must be 0 to 65535" in said


def test_a_data_directory_that_cannot_be_written_is_refused() -> None:
    assert "cannot be written" in refusal("up", "--data", "/dev/null/data")


@pytest.mark.parametrize(
    ("variable", "url"),
    [("DATABASE_URL", "postgresql://x@127.0.0.1:9/x"), ("REDIS_URL", "redis://127.0.0.1:9/0")],
)
def test_own_servers_that_do_not_answer_are_named(tmp_path: Path, variable: str, url: str) -> None:
    said = refusal("up", "--port", "0", "--data", str(tmp_path / "data"), env={variable: url})
    assert variable in said
