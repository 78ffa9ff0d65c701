"""puertorico arena: bots play one another on the engine, and their win rates are measured."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from itertools import cycle, islice
from random import Random
from typing import Literal, NamedTuple

from services.automation.bots import BOTS, answer
from shared.engine import Draw, Game, play, set_up
from shared.engine.options import Options

Buildings = Literal["base", "random"]
_Z = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""


class Match(NamedTuple):
    """One game to be played; equal matches have equal outcomes."""

    bots: tuple[str, ...]
    """By seat."""
    buildings: Buildings
    seed: str


class Outcome(NamedTuple):
    """By seat: the share of the victory, and the points."""

    wins: tuple[float, ...]
    points: tuple[int, ...]


class Tally:
    """What a bot has achieved in one kind of game."""

    def __init__(self) -> None:
        self.played, self.wins, self.points = 0, 0.0, 0

    def add(self, wins: float, points: int) -> None:
        self.played += 1
        self.wins += wins
        self.points += points


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bots",
        nargs="+",
        choices=BOTS,
        default=["planner", "greedy"],
        help="the first takes one seat, the others share the rest (default: planner greedy)",
    )
    parser.add_argument("--players", nargs="+", type=int, choices=range(2, 6), default=[3, 4, 5])
    parser.add_argument("--buildings", nargs="+", choices=("base", "random"), default=["base"])
    parser.add_argument("--games", type=_positive, default=20, help="per kind of game (default 20)")
    parser.add_argument("--seed", default="arena", help="fixes all draws and choices")
    parser.add_argument("--jobs", type=_positive, default=1, help="processes (default 1)")


def _positive(text: str) -> int:
    with suppress(ValueError):
        if (number := int(text)) >= 1:
            return number
    raise argparse.ArgumentTypeError("it is a number, 1 or more")


def run(arguments: argparse.Namespace) -> int:
    print(f"{'players':>7} {'buildings':9} {'bot':8} {'games':>5} {'win rate':>8}", end=" ")
    print(f"{'95 % interval':>17} {'even':>7} {'points':>6}", flush=True)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for buildings in arguments.buildings:
            for players in arguments.players:
                matches = schedule(
                    arguments.bots, players, buildings, arguments.games, arguments.seed
                )
                outcomes = pool.map(contest, matches)
                for name, tally in tallies(matches, outcomes).items():
                    _print_row(players, buildings, name, tally)
    return 0


def schedule(
    bots: Sequence[str], players: int, buildings: Buildings, games: int, seed: str
) -> list[Match]:
    """The first bot takes each seat in turn, one seat a game; the others share the rest."""
    first, rest = bots[0], list(bots[1:]) or [bots[0]]
    matches = []
    for number in range(games):
        seats = list(islice(cycle(rest), number, number + players - 1))
        seats.insert(number % players, first)
        matches.append(Match(tuple(seats), buildings, f"{seed}/{players}/{buildings}/{number}"))
    return matches


def contest(match: Match) -> Outcome:
    """Play the match to its end; the draws and each seat's choices have a source of their own."""
    choices = [Random(f"{match.seed}/{seat}") for seat in range(len(match.bots))]
    draw = _draws(match.seed)
    game = set_up(len(match.bots), Options(buildings=match.buildings), draw).game
    while not game.is_over:
        seat = game.awaiting[0].seat
        play(game, seat, answer(BOTS[match.bots[seat]], game, seat, choices[seat]), draw)
    return _outcome(game)


def tallies(matches: Iterable[Match], outcomes: Iterable[Outcome]) -> dict[str, Tally]:
    """By bot, in the order of its first seat."""
    found: dict[str, Tally] = {}
    for match, outcome in zip(matches, outcomes, strict=True):
        for name, wins, points in zip(match.bots, *outcome, strict=True):
            found.setdefault(name, Tally()).add(wins, points)
    return found


def interval(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a win rate."""
    rate, square = wins / games, _Z * _Z / games
    centre = rate + square / 2
    margin = math.sqrt(rate * (1 - rate) * square + square * square / 4)
    return (centre - margin) / (1 + square), (centre + margin) / (1 + square)


def _draws(seed: str) -> Draw:
    random = Random(seed)
    return lambda _number, among: random.randrange(among)


def _outcome(game: Game) -> Outcome:
    share = 1 / len(game.winners)
    wins = tuple(share if seat in game.winners else 0.0 for seat in range(len(game.players)))
    return Outcome(wins, tuple(score.total for score in game.scores))


def _print_row(players: int, buildings: str, name: str, tally: Tally) -> None:
    low, high = interval(tally.wins, tally.played)
    print(
        f"{players:7} {buildings:9} {name:8} {tally.played:5} {tally.wins / tally.played:8.1%} "
        f"{low:7.1%} to {high:6.1%} {1 / players:7.1%} {tally.points / tally.played:6.1f}",
        flush=True,
    )
