"""Rewrite the golden playthroughs, or record a new one.

python -m tests.golden
python -m tests.golden NAME PLAYERS SEED [OPTIONS]      OPTIONS as JSON
"""

import json
import sys
from pathlib import Path

from msgspec import convert

from shared.engine.options import Options
from tests.golden.playthrough import Header, read, record, write

GAMES = Path(__file__).with_name("games")


def main(arguments: list[str]) -> None:
    """Play every recorded game again, or a new one at random, and write what happens."""
    if arguments:
        name, players, seed, options, *_ = [*arguments, "{}"]
        header = Header(int(players), convert(json.loads(options), Options), int(seed))
        (GAMES / f"{name}.txt").write_text(write(record(header)))
    for file in GAMES.glob("*.txt"):
        file.write_text(write(read(file.read_text())))


if __name__ == "__main__":
    main(sys.argv[1:])
