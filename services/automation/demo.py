"""puertorico demo: a whole game is played over the public API by simple players."""

from __future__ import annotations

import argparse
import secrets
import time
from contextlib import suppress

import httpx

from services.automation import address, game_options
from services.automation.choosing import choose
from services.automation.client import ApiError, Client, Document
from services.automation.company import Company, NoSuchBot, gather
from services.automation.failing import failure

_PAUSE = 0.1
"""Seconds between two looks while bots are thinking."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, choices=range(2, 6), default=4)
    parser.add_argument(
        "--opponents",
        type=lambda text: text.split(","),
        default=[],
        metavar="BOTS",
        help="the server's bots for so many of the seats, such as greedy,planner,random",
    )
    parser.add_argument("--seed", type=int, help="fixes the players' choices, not the draws")
    address.configure(parser)
    game_options.configure(parser)


def run(arguments: argparse.Namespace) -> int:
    url, opponents = arguments.url, arguments.opponents
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    if len(opponents) >= arguments.players:
        return failure(f"of {arguments.players} players one at least is the demo's own")
    try:
        company = gather(url, arguments.players - len(opponents), opponents)
        play(url, company, seed, game_options.chosen(arguments))
    except httpx.TransportError as error:
        return failure(address.unanswered(url, error))
    except NoSuchBot as error:
        return failure(str(error))
    except ApiError as error:
        return failure(f"the API refused: {error}")
    return 0


def play(url: str, company: Company, seed: int, options: Document) -> None:
    """Create, fill, start, and play to the end. Who is stopped on the way aborts the game."""
    creator = next(iter(company.clients.values()))
    game = creator.post("/v1/games", {"options": options, "bots": company.bots})
    path = f"/v1/games/{game['id']}"
    try:
        _play_to_the_end(url, path, company, seed)
    except (ApiError, KeyboardInterrupt):
        creator.hurry()
        with suppress(ApiError, httpx.TransportError):
            creator.post(f"{path}/abort")
        raise


def _play_to_the_end(url: str, path: str, company: Company, seed: int) -> None:
    creator, *others = company.clients.values()
    for client in others:
        client.post(f"{path}/players")
    state = creator.post(f"{path}/start")["state"]
    print(f"{len(state['seats'])} players sit down, choices by seed {seed}.")
    print(f"The game: {url}{path}", flush=True)
    moves, state = _play(path, company, seed, state)
    names = [company.names[account] for account in state["seats"]]
    _print_scores(state, _counted(moves, company).strip(), f"{url}{path}", names)


def _play(path: str, company: Company, seed: int, state: Document) -> tuple[int, Document]:
    """Answer for the company's own players, and wait for the bots.

    Returns how many moves its own players have made, and the last state.
    """
    watcher, moves, shown = next(iter(company.clients.values())), 0, 0
    while state["status"] == "running":
        accounts = [state["seats"][asked["seat"]] for asked in state["awaiting"]]
        ours = [company.clients[account] for account in accounts if account in company.clients]
        if ours:
            state = _move(ours[0], path, seed, state["version"])
            moves += 1
        else:
            time.sleep(_PAUSE)
            state = watcher.get(path, min_version=state["version"])
        if state["round"] != shown:
            shown = state["round"]
            _print_round(state, _counted(moves, company))
    return moves, state


def _move(client: Client, path: str, seed: int, version: int) -> Document:
    """A move of the awaited player; the state after it."""
    legal = client.get(f"{path}/legal-moves", min_version=version)
    own = client.get(path, min_version=version)
    move = {"move": choose(seed, own, legal), "decision_id": legal["decision_id"]}
    state: Document = client.post(f"{path}/moves", move)["state"]
    return state


def _counted(moves: int, company: Company) -> str:
    return f"{moves:>4} {'move' if moves == 1 else 'moves'}{' of ours' if company.bots else ''}"


def _print_round(state: Document, moves: str) -> None:
    buildings = sum(len(player["city"]) for player in state["players"])
    points = state["supply"]["victory_points"]
    print(
        f"Round {state['round']:>2}: {moves}, {buildings:>2} buildings built, "
        f"{points:>3} victory points left",
        flush=True,
    )


def _print_scores(state: Document, moves: str, address: str, names: list[str]) -> None:
    reason = {
        "colonists": "the colonists ran out",
        "city": "a city is full",
        "victory_points": "the victory points ran out",
    }[state["end_trigger"]["reason"]]
    print(f"\nThe game is over after {moves} in {state['round']} rounds: {reason}.\n")
    print(f"{'':10}{'points':>8}{'buildings':>11}{'bonuses':>9}{'total':>7}")
    for seat, name in enumerate(names):
        score = state["scores"][str(seat)]
        mark = "  wins" if seat in state["winners"] else ""
        print(
            f"{name:10}{score['victory_points']:>8}{score['buildings']:>11}"
            f"{score['bonuses']:>9}{score['total']:>7}{mark}"
        )
    print(f"\nEvery move, with its hash: {address}/events")
