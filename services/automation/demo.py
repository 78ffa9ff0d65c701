"""puertorico demo: a whole game is played over the public API by simple players."""

from __future__ import annotations

import argparse
import json
import secrets
import sys

import httpx

from services.automation.choosing import choose
from services.automation.client import ApiError, Client, Document, register

_NAMES = ("ana", "beatriz", "carlos", "diego", "elena")
_URL = "http://127.0.0.1:8000"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, choices=range(2, 6), default=4)
    parser.add_argument("--seed", type=int, help="fixes the players' choices, not the draws")
    parser.add_argument("--url", default=_URL, help=f"where the API is (default {_URL})")
    parser.add_argument(
        "--options", type=json.loads, default={}, help="game options as JSON, see GET /v1/rules"
    )


def run(arguments: argparse.Namespace) -> int:
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    try:
        play(arguments.url.rstrip("/"), arguments.players, seed, arguments.options)
    except httpx.ConnectError:
        print(f"puertorico: nothing answers at {arguments.url}: is it up?", file=sys.stderr)
        return 1
    except ApiError as error:
        print(f"puertorico: the API refused: {error}", file=sys.stderr)
        return 1
    return 0


def play(url: str, count: int, seed: int, options: Document) -> None:
    """Register, create, fill, start, and play to the end."""
    names, clients = _register(url, count)
    creator, *others = clients
    game = creator.post("/v1/games", {"options": options})
    path = f"/v1/games/{game['id']}"
    for client in others:
        client.post(f"{path}/players")
    state = creator.post(f"{path}/start")["state"]
    seats = [clients[names.index(account)] for account in state["seats"]]
    print(f"{count} players sit down, choices by seed {seed}.")
    print(f"The game: {url}{path}", flush=True)
    moves, state = _play(path, seats, seed, state)
    _print_scores(state, moves, f"{url}{path}", [_name(names.index(a)) for a in state["seats"]])


def _register(url: str, count: int) -> tuple[list[str], list[Client]]:
    table = secrets.token_hex(3)
    found = [
        register(url, f"{_name(number)}-{table}", secrets.token_urlsafe(16))
        for number in range(count)
    ]
    return [account for _, account in found], [client for client, _ in found]


def _name(number: int) -> str:
    return _NAMES[number]


def _play(path: str, seats: list[Client], seed: int, state: Document) -> tuple[int, Document]:
    moves, shown = 0, 0
    while state["status"] == "running":
        asked = state["awaiting"][0]
        client = seats[asked["seat"]]
        version = state["version"]
        legal = client.get(f"{path}/legal-moves", min_version=version)
        own = client.get(path, min_version=version)
        answer = client.post(
            f"{path}/moves",
            {"move": choose(seed, own, legal), "decision_id": legal["decision_id"]},
        )
        moves += 1
        state = answer["state"]
        if state["round"] is not None and state["round"] != shown:
            shown = state["round"]
            buildings = sum(len(player["city"]) for player in state["players"])
            points = state["supply"]["victory_points"]
            print(
                f"Round {shown:>2}: {moves:>4} moves, {buildings:>2} buildings built, "
                f"{points:>3} victory points left",
                flush=True,
            )
    return moves, state


def _print_scores(state: Document, moves: int, address: str, names: list[str]) -> None:
    reason = {
        "colonists": "the colonists ran out",
        "city": "a city is full",
        "victory_points": "the victory points ran out",
    }[state["end_trigger"]["reason"]]
    print(f"\nThe game is over after {moves} moves in {state['round']} rounds: {reason}.\n")
    print(f"{'':10}{'points':>8}{'buildings':>11}{'bonuses':>9}{'total':>7}")
    for seat, name in enumerate(names):
        score = state["scores"][str(seat)]
        mark = "  wins" if seat in state["winners"] else ""
        print(
            f"{name:10}{score['victory_points']:>8}{score['buildings']:>11}"
            f"{score['bonuses']:>9}{score['total']:>7}{mark}"
        )
    print(f"\nEvery move, with its hash: {address}/events")
