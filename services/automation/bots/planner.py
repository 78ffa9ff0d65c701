"""Search: moves and the role choices after them are simulated, promising ones more often.

A Monte Carlo tree search over the seat's move and the next role choices of all seats, each seat for
its own good; all other decisions are quick answers. Draws are imagined anew in each simulation, so
one tree holds for all of them.
"""

import math
from random import Random
from time import monotonic

from msgspec import Struct

from services.automation.bots import policy
from services.automation.bots.outlook import standings
from services.automation.bots.seen import imagined
from shared.engine import Draw, Game, play
from shared.engine.commands import Command
from shared.engine.vocabulary import Decision

CURIOSITY = 1.5
"""Points by which a move little tried may seem worse and be tried again."""
SIMULATIONS = 40
HORIZON = 1.5
"""Rounds that a simulation looks ahead."""


class Edge(Struct):
    """A move, and what came of it; a quick judgement stands for its first trial."""

    command: Command
    total: float
    trials: int = 1
    child: "Node | None" = None

    def mean(self) -> float:
        return self.total / self.trials


class Node(Struct):
    """A choice of this seat."""

    seat: int
    edges: list[Edge]
    trials: int = 1

    def most_promising(self) -> Edge:
        spread = CURIOSITY * math.sqrt(math.log(self.trials + 1))
        return max(self.edges, key=lambda edge: edge.mean() + spread / math.sqrt(edge.trials))


def choose(
    game: Game,
    seat: int,
    random: Random,
    *,
    simulations: int = SIMULATIONS,
    seconds: float = math.inf,
) -> Command:
    """The move most often tried within both bounds; by simulations alone it is repeatable."""
    if (command := policy.without_thought(game, seat, random)) is not None:
        return command
    root, deadline = _node(game, seat), monotonic() + seconds
    horizon = _played(game) + round(HORIZON * game.roles_a_round())
    for _ in range(simulations):
        if monotonic() > deadline:
            break
        _simulate(game.clone(), root, imagined(random), horizon)
    return max(root.edges, key=lambda edge: (edge.trials, edge.mean())).command


def _node(game: Game, seat: int) -> Node:
    now, appeal = standings(game)[seat], policy.appeal_of(game, seat)
    return Node(seat, [Edge(c, now + appeal(c)) for c in policy.considered(game, seat)])


def _simulate(game: Game, root: Node, draw: Draw, horizon: int) -> None:
    """Down the tree to one new node, then quick answers up to the horizon, where all is judged."""
    path: list[tuple[Node, Edge]] = []
    node: Node | None = root
    while node is not None:
        edge = node.most_promising()
        path.append((node, edge))
        play(game, node.seat, edge.command, draw)
        _answer_until_role(game, draw)
        node = edge.child
        if game.is_over:
            break
        if node is None:
            edge.child = _node(game, game.awaiting[0].seat)
    while not game.is_over and _played(game) < horizon:
        _answer(game, draw)
        _answer_until_role(game, draw)
    _learn(path, standings(game))


def _learn(path: list[tuple[Node, Edge]], values: list[float]) -> None:
    for node, edge in path:
        node.trials += 1
        edge.trials += 1
        edge.total += values[node.seat]


def _answer_until_role(game: Game, draw: Draw) -> None:
    while game.awaiting and game.awaiting[0].decision is not Decision.CHOOSE_ROLE:
        _answer(game, draw)


def _answer(game: Game, draw: Draw) -> None:
    seat = game.awaiting[0].seat
    play(game, seat, policy.answer(game, seat), draw)


def _played(game: Game) -> int:
    """Roles taken since the game began."""
    return (game.round - 1) * game.roles_a_round() + len(game.roles_taken)
