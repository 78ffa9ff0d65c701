"""How many random games one second of processor time plays: python -m bench.engine [SECONDS]."""

import random
import sys
import time

from shared.engine import play, set_up
from shared.engine.options import Options
from shared.table.chance import Draws
from tests.properties.player import any_command


def played(players: int, options: Options, seed: int) -> tuple[int, int]:
    """Play one game; how many moves and events it took."""
    rng, draw = random.Random(seed), Draws(seed.to_bytes(32, "big"))
    turn = set_up(players, options, draw)
    game, moves, events = turn.game, 0, len(turn.events)
    while not game.is_over:
        seat = rng.choice(game.awaiting).seat
        events += len(play(game, seat, any_command(rng, game, seat), draw).events)
        moves += 1
    return moves, events


def main(seconds: float) -> None:
    """One line per number of players and kind of set."""
    for players in (2, 3, 4, 5):
        for options in (Options(), Options(buildings="random"), Options(buildings="draft")):
            games = moves = events = 0
            start = time.process_time()
            while (spent := time.process_time() - start) < seconds:
                played_moves, played_events = played(players, options, games)
                games, moves, events = games + 1, moves + played_moves, events + played_events
            print(
                f"{players} players, {options.buildings:6}: {games / spent:6.1f} games/s, "
                f"{moves / spent:6.0f} moves/s, {events / games:5.0f} events a game"
            )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
