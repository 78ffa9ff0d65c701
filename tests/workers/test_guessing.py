"""Whoever guesses is soon told to wait, and nobody else is."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from services.stack.data_directory import Servers
from tests.workers.conftest import serve

PASSWORD = "correct horse battery"
GUESSES = 1_000


def told(client: httpx.Client, guesses: list[httpx.Request]) -> Counter[int]:
    """How often each status answered; the first 429 says when to come again."""
    answers = [client.send(guess) for guess in guesses]
    assert all(answer.headers["Retry-After"] for answer in answers if answer.status_code == 429)
    return Counter(answer.status_code for answer in answers)


@pytest.mark.usefixtures("postgres_url", "redis_url")
def test_a_thousand_guesses_get_nowhere_and_hinder_nobody(
    worker_servers: Servers, tmp_path: Path
) -> None:
    with ExitStack() as running:
        commands = running.enter_context(serve("commands", worker_servers, tmp_path)).url
        queries = running.enter_context(serve("queries", worker_servers, tmp_path)).url
        client = running.enter_context(httpx.Client())
        wish = {"name": "Ana", "password": PASSWORD}
        token = client.post(f"{commands}/v1/accounts", json=wish).json()["token"]
        ana = {"Authorization": f"Bearer {token}"}

        tokens = [f"pr_{number:043}" for number in range(GUESSES)]
        headers = [{"Authorization": f"Bearer {guess}"} for guess in tokens]
        requests = [client.build_request("GET", f"{queries}/v1/me", headers=h) for h in headers]
        statuses = told(client, requests)
        assert statuses.keys() == {401, 429} and statuses[401] < 100
        assert client.get(f"{queries}/v1/me", headers=ana).status_code == 200

        guesses = [
            {"name": "Ana", "password": f"guess number {number}"} for number in range(GUESSES)
        ]
        requests = [client.build_request("POST", f"{commands}/v1/tokens", json=g) for g in guesses]
        statuses = told(client, requests)
        assert statuses.keys() == {401, 429} and statuses[401] < 30
        assert client.post(f"{commands}/v1/tokens", json=wish).status_code == 429
        assert client.post(f"{commands}/v1/games", json={}, headers=ana).status_code == 201
