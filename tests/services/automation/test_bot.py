"""Bots at a table: they play over the public API with accounts of their own."""

from __future__ import annotations

import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from werkzeug.serving import make_server

from services import automation
from services.automation import bot
from services.automation.bots import BOTS
from services.automation.client import ApiError, Client, audit_trail, register
from services.automation.player import Player
from services.projector.wiring import Wiring
from services.stack.app import READS, both
from shared.config import Settings
from shared.eventstore.store import EventStore
from shared.ids import uuid7
from tests.services.conftest import PASSWORD, closing
from tests.services.projector.games import append_unknown, drain_all
from tests.tables import Play

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    """Both services at one origin, on a port of their own."""
    commands, queries = both(settings)

    def one_origin(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        service = queries if environ["REQUEST_METHOD"] in READS else commands
        return service(environ, start_response)

    with closing(commands), closing(queries):
        server = make_server("127.0.0.1", 0, one_origin, threaded=True)
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def projecting(wiring: Wiring) -> Iterator[None]:
    """A projector that keeps the read models up to date."""
    stop = Event()

    def project() -> None:
        while not stop.wait(0.02):
            drain_all(wiring)

    thread = Thread(target=project)
    thread.start()
    yield
    stop.set()
    thread.join()


@pytest.fixture
def ana(address: str) -> Iterator[Client]:
    """A person's client."""
    client, _ = register(address, "Ana", PASSWORD)
    yield client
    client.close()


@contextmanager
def aborted_at_last(client: Client, path: str) -> Iterator[None]:
    """So that no bot plays on when the test has failed."""
    try:
        yield
    finally:
        with suppress(ApiError):
            client.post(f"{path}/abort")


def arguments(address: str, *words: str) -> Namespace:
    parser = ArgumentParser()
    bot.configure(parser)
    return parser.parse_args([*words, "--url", address])


@pytest.mark.usefixtures("projecting")
def test_bots_join_a_private_game_and_play_it_to_its_end(
    address: str, ana: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = ana.post("/v1/games", {"visibility": "private", "options": {"buildings": "draft"}})
    path = f"/v1/games/{opened['id']}"
    with ThreadPoolExecutor(2) as bots, aborted_at_last(ana, path):
        asked = [opened["id"], "--code", opened["invitation_code"], "--seconds", "0.01"]
        asked += ["--pause", "0.05"]
        runs = [
            bots.submit(bot.run, arguments(address, name, *asked)) for name in ("random", "planner")
        ]
        while len(ana.get(path)["members"]) < 3:
            time.sleep(0.05)
        ana.post(f"{path}/start")
        end = bot.play(ana, path, Player("ana", ana, BOTS["greedy"]), 0.05)
    assert end["status"] == "finished"
    assert [run.result() for run in runs] == [0, 0]
    assert capsys.readouterr().out.count(f"winners: {end['winners']}") == 2
    causes = {event["cause"] for event in audit_trail(ana, opened["id"])}
    assert causes == {"move", "bot"}


@pytest.mark.usefixtures("projecting")
def test_a_bot_stops_when_its_game_is_aborted(ana: Client) -> None:
    opened = ana.post("/v1/games")
    path = f"/v1/games/{opened['id']}"
    ana.post(f"{path}/abort")
    end = bot.play(ana, path, Player("ana", ana, BOTS["greedy"]), 0.05)
    assert end["status"] == "aborted"


def test_a_game_that_is_not_there_is_reported(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = "01890000-0000-7000-8000-000000000000"
    assert bot.run(arguments(address, "greedy", nowhere)) == 1
    assert "the API refused: 404" in capsys.readouterr().err


def game_awaiting(account: UUID) -> Play:
    """A game of two in which it is this account's turn."""
    play = Play([account, uuid7()]).start()
    while not awaits(play, account):
        play.move()
    return play


def awaits(play: Play, account: UUID) -> bool:
    assert play.table.game is not None
    return play.table.seats[play.table.game.awaiting[0].seat] == str(account)


def test_a_game_that_cannot_be_read_keeps_its_bot_from_no_other_game(
    address: str, wiring: Wiring, log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, account = register(address, "Robot", PASSWORD, kind="bot")
    player = Player("Robot", client, BOTS["random"])
    readable, unreadable = (game_awaiting(UUID(account)).store(log) for _ in range(2))
    drain_all(wiring)
    append_unknown(log, unreadable)
    drain_all(wiring)
    listed = [turn["game_id"] for turn in client.get("/v1/me/turns")["items"]]
    assert listed == [str(unreadable.game_id), str(readable.game_id)]
    monkeypatch.setattr(automation.player, "_AT_ONCE", 1)  # so that it could take another's place
    began = time.monotonic()

    assert player.take_turns()
    assert player.take_turns()

    assert time.monotonic() - began < 10
    assert not player.take_turns()
    assert log.head(readable.game_id).version > len(readable.records)
    client.close()


@pytest.mark.usefixtures("projecting")
def test_bots_take_seats_while_their_process_runs(
    address: str, ana: Client, tmp_path: Path
) -> None:
    module = [sys.executable, "-m", "services.automation.play"]
    listed = []
    for _ in range(2):
        start = [*module, "--url", address, "--data", str(tmp_path)]
        with subprocess.Popen(start, stderr=subprocess.PIPE) as bots:
            assert bots.stderr and any(b"bots play" in line for line in bots.stderr)
            listed.append(ana.get("/v1/bots")["items"])
            bots.terminate()
        assert ana.get("/v1/bots")["items"] == []
    assert len(listed[0]) == 3
    assert listed[0] == listed[1]
