"""The rules alone, in one process: games played, and events replayed, per second of processor."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from bench.prepared import prepare
from bench.table import Row
from shared.engine import play, set_up
from shared.engine.options import Options
from shared.eventstore.fold import fold
from shared.table.chance import Draws
from tests.properties.player import any_command

PEERS = {  # games a second of random play: Python without validation, TypeScript; Rules 2 sets
    ("base", 3): "TypeScript 913, Clojure 282, Python 69",
    ("base", 4): "TypeScript 674, Clojure 222, Python 95 (38 validating)",
    ("base", 5): "TypeScript 563, Clojure 172, Python 34",
    ("random", 3): "TypeScript 557",
    ("random", 4): "TypeScript 381",
    ("random", 5): "TypeScript 318",
}
"""Measured elsewhere on a machine of this kind (peers' engines, random play); not in this run."""


def rows(seconds: float) -> Iterator[Row]:
    """Random legal games: each move is picked from what is offered, and checked when played."""
    for options in (Options(), Options(buildings="random")):
        for players in (2, 3, 4, 5):
            games, moves, spent = _played_for(seconds, players, options)
            yield Row(
                f"random games, {players} players, {options.buildings} set",
                f"{games / spent:.0f} games/s, {moves / spent:.0f} moves/s",
                PEERS.get((options.buildings, players), ""),
            )
    yield Row("events replayed from their stored text", f"{_replayed(seconds):.0f} events/s")


def _played_for(seconds: float, players: int, options: Options) -> tuple[int, int, float]:
    games = moves = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        moves += played(players, options, games)
        games += 1
    return games, moves, spent


def played(players: int, options: Options, seed: int) -> int:
    """Play one game; returns how many moves it took."""
    rng, draw = random.Random(seed), Draws(seed.to_bytes(32, "big"))
    game, moves = set_up(players, options, draw).game, 0
    while not game.is_over:
        seat = game.awaiting[0].seat
        play(game, seat, any_command(rng, game, seat), draw)
        moves += 1
    return moves


def _replayed(seconds: float) -> float:
    games = [prepare(range(4), Options(buildings="random"), number) for number in range(10)]
    events, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for game in games:
            fold(game.records)
            events += len(game.records)
    return events / spent
