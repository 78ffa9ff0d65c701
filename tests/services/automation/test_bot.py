"""Bots at a table: they play over the public API with accounts of their own."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from werkzeug.serving import make_server

from services.automation import bot
from services.automation.bots import BOTS
from services.automation.client import ApiError, Client, audit_trail, register
from services.automation.player import Player
from services.projector.wiring import wire
from services.stack.app import READS, both
from shared.config import Settings
from tests.services.conftest import PASSWORD, closing
from tests.services.projector.games import drain_all

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
def projecting(settings: Settings) -> Iterator[None]:
    """A projector that keeps the read models up to date."""
    wiring, stop = wire(settings), Event()

    def project() -> None:
        while not stop.wait(0.02):
            drain_all(wiring)

    thread = Thread(target=project)
    thread.start()
    yield
    stop.set()
    thread.join()
    wiring.pool.close()
    wiring.redis.close()


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
