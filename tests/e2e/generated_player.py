# mypy: ignore-errors
"""Plays with nothing but the generated package, which is made when the test runs."""

import random
import sys

import httpx
from puerto_rico_client import AuthenticatedClient, Client
from puerto_rico_client.api.accounts import register
from puerto_rico_client.api.games import create_game, join_game, list_legal_moves, start_game
from puerto_rico_client.api.moves import make_move
from puerto_rico_client.models import CreateGame, JoinGame, MoveRequest, Registration


def main(url: str) -> None:
    clients = dict(seat(url, f"player-{number}-{random.randrange(10**9)}") for number in range(3))
    creator, *others = clients.values()
    game = create_game.sync(client=creator, body=CreateGame())
    for other in others:
        join_game.sync(game.id, client=other, body=JoinGame())
    state = start_game.sync(game.id, client=creator).state
    moves = 0
    while state.status == "running":
        client = clients[state.seats[state.awaiting[0].seat]]
        legal = list_legal_moves.sync(game.id, client=client, min_version=state.version)
        offered = [*legal.moves, *(open_move.example for open_move in legal.open_moves)]
        move = MoveRequest(random.choice(offered), decision_id=legal.decision_id)
        state = make_move.sync(game.id, client=client, body=move).state
        moves += 1
    print(f"{state.status} after {moves} moves")


def seat(url: str, name: str) -> tuple[str, AuthenticatedClient]:
    body = Registration(name=name, password="correct horse battery")
    patient = httpx.Timeout(30)
    issued = register.sync(client=Client(url, timeout=patient), body=body)
    return str(issued.account.id), AuthenticatedClient(url, issued.token, timeout=patient)


main(sys.argv[1])
