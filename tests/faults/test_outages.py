"""What is down or hangs holds up nothing that does not need it, and nothing when it is back."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from urllib.parse import urlsplit

import pytest

from shared.eventstore.pool import PATIENCE_SECONDS
from tests.faults.bots import Player
from tests.faults.chaos import HALVES
from tests.faults.conftest import NewPlayers
from tests.faults.rig import Rig
from tests.faults.room import POSTGRES, VALKEY

pytestmark = pytest.mark.faults


def knock(player: Player, seconds: float) -> None:
    """Somebody keeps asking while nobody can answer."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = player.send("POST", "/v1/games", {})
        assert answer.status_code == 503
        assert answer.json()["code"] == "unavailable"
        assert answer.headers["Retry-After"] == "1"
        time.sleep(0.2)


def test_after_an_outage_of_postgres_all_goes_on_at_once(
    running: Rig, new_players: NewPlayers
) -> None:
    [player] = new_players(1)
    player.post("/v1/games")
    running.stop(POSTGRES)
    knock(player, 4)
    running.start(POSTGRES)
    begin = time.monotonic()
    player.post("/v1/games")
    assert time.monotonic() - begin < 3


def test_a_postgres_that_hangs_is_given_up_in_time(running: Rig, new_players: NewPlayers) -> None:
    [player] = new_players(1)
    player.post("/v1/games")
    with running.frozen(POSTGRES):
        begin = time.monotonic()
        answer = player.send("POST", "/v1/games", {})
        assert answer.status_code == 503
        assert time.monotonic() - begin < PATIENCE_SECONDS + 3
    player.post("/v1/games")


@contextmanager
def hanging(url: str, count: int) -> Iterator[list[socket.socket]]:
    """Clients that have sent half a request and wait."""
    address = (urlsplit(url).hostname, urlsplit(url).port)
    with ExitStack() as exits:
        clients = [exits.enter_context(socket.create_connection(address)) for _ in range(count)]
        for client, half in zip(clients, cycle(HALVES), strict=False):
            client.sendall(half)
        yield clients


def test_clients_that_hang_keep_nobody_out_for_long(running: Rig, new_players: NewPlayers) -> None:
    [player] = new_players(1)
    with hanging(running.up.commands_url, 20):
        assert player.send("POST", "/v1/games", {}).status_code == 201


def test_without_redis_nobody_waits(running: Rig, new_players: NewPlayers) -> None:
    [player] = new_players(1)
    path = f"/v1/games/{player.post('/v1/games')['id']}"
    running.stop(VALKEY)
    begin = time.monotonic()
    player.post(f"{path}/abort")
    assert player.get(path)["status"] == "aborted"
    assert time.monotonic() - begin < 3
    running.start(VALKEY)


def test_a_redis_that_hangs_is_given_up_soon(running: Rig, new_players: NewPlayers) -> None:
    [player] = new_players(1)
    path = f"/v1/games/{player.post('/v1/games')['id']}"
    with running.frozen(VALKEY):
        begin = time.monotonic()
        player.post(f"{path}/abort")
        assert player.get(path)["status"] == "aborted"
        assert time.monotonic() - begin < 12
