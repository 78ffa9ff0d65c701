"""What is secret stands in no log of the stack, whatever was done with it."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg

from services.stack.data_directory import running_servers
from tests.stack.running import up

PASSWORDS = ["correct horse battery", "a wrong password", "another good password"]


class Client:
    """Notes each token it is given."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self.tokens: list[str] = []

    def send(self, method: str, path: str, token: str = "", body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.http.request(method, path, headers=headers, json=body)
        document = answer.json() if answer.content else {}
        self.tokens += [document["token"]] if "token" in document else []
        return document

    def register(self, name: str) -> str:
        body = {"name": name, "password": PASSWORDS[0]}
        token: str = self.send("POST", "/v1/accounts", body=body)["token"]
        return token


def play(client: Client) -> tuple[str, str]:
    """A private game that runs, with refusals of all kinds; its code and its id."""
    ana, bob = client.register("Ana"), client.register("Bob")
    game = client.send("POST", "/v1/games", ana, {"visibility": "private"})
    path, code = f"/v1/games/{game['id']}", game["invitation_code"]
    client.send("GET", f"{path}/invitation", ana)
    client.send("POST", f"{path}/players", bob, {"code": code, "unknown": code})
    client.send("POST", f"{path}/players", bob, {"code": code})
    state = client.send("POST", f"{path}/start", ana)["state"]
    for token in (ana, bob) * 3:
        legal = client.send("GET", f"{path}/legal-moves?min_version={state['version']}", token)
        for move in legal["moves"][:1]:
            state = client.send("POST", f"{path}/moves", token, {"move": move})["state"]
    assert state["version"] > 10
    return code, game["id"]


def manage(client: Client) -> None:
    """What else is done with passwords and tokens, and done wrong."""
    login = {"name": "Ana", "password": PASSWORDS[0]}
    client.send("POST", "/v1/accounts", body=login)
    client.send("POST", "/v1/tokens", body=login | {"password": PASSWORDS[1]})
    token = client.send("POST", "/v1/tokens", body=login)["token"]
    client.send("POST", "/v1/tokens", body=login | {"scopes": [PASSWORDS[0]]})
    change = {"current_password": PASSWORDS[1], "password": PASSWORDS[2]}
    client.send("PUT", "/v1/me/password", token, change)
    client.send("PUT", "/v1/me/password", token, change | {"current_password": PASSWORDS[0]})
    client.send("DELETE", "/v1/me/tokens/current", token)
    client.send("GET", "/v1/me", token)
    client.send("GET", f"/v1/games?token={token}")


def send_raw(address: str, token: str) -> None:
    """Heads that are none, with a token in the line at fault."""
    at = urlsplit(address)
    for line in (f"Authorization Bearer {token}", f"Authorization: Bearer {token}\0"):
        with socket.create_connection((at.hostname, at.port)) as raw:
            raw.sendall(f"GET /v1/me HTTP/1.1\r\n{line}\r\n\r\n".encode())
            assert b" 400 " in raw.recv(100)


def test_no_secret_stands_in_a_log(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with (
        up(data, env={"LOG_LEVEL": "DEBUG"}) as stack,
        httpx.Client(base_url=stack.address) as http,
    ):
        client = Client(http)
        code, game_id = play(client)
        manage(client)
        send_raw(stack.address, client.tokens[0])
        servers = running_servers(data)
        with psycopg.connect(servers.database_url) as connection:
            seeds = [seed for (seed,) in connection.execute("select seed from es.seeds")]
        said = stack.said
        logs = {path.name: path.read_text(errors="replace") for path in data.rglob("*.log")}
    owners = [urlsplit(url).password for url in (servers.database_url, servers.redis_url)]
    secrets = [*PASSWORDS, *client.tokens, code, *owners, *(seed.hex() for seed in seeds)]
    assert len(client.tokens) == 3 and len(seeds) == 1 and all(secrets)
    assert {"web.log", "projector.log", "sweeper.log"} <= set(logs)
    assert f"/v1/games/{game_id}/moves" in logs["web.log"]
    for name, log in {**logs, "what up says": said}.items():
        for secret in secrets:
            assert str(secret) not in log, name
