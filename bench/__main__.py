"""How fast it is here: python -m bench [PART ...] [--seconds S] [--rounds R].

Parts: engine, store, service, growth, start; all of them take about six minutes. Prints Markdown.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from pathlib import Path

from bench import engine, machine, service, startup, storage
from bench.loader import add_accounts
from bench.prepared import prepare
from bench.rig import PROJECTION, rig
from bench.service import Load
from bench.table import print_rows, print_title
from shared.engine.options import Options

PARTS = ("engine", "store", "service", "growth", "start")
PLAYERS = 5
ORIGINALS = 20
"""Prepared games that the store is filled with copies of."""
SIZES = {10: (10, 0), 1000: (990, 0), 20_000: (0, 19_000)}
"""Games in the store → how many whole and how many just begun ones are added."""


def main(arguments: argparse.Namespace) -> None:
    print(f"`python -m bench {' '.join(sys.argv[1:])}`\n")
    with tempfile.TemporaryDirectory() as folder:
        if {"store", "service", "growth"} & {*arguments.parts}:
            _measure_services(Path(folder), arguments)
        if "engine" in arguments.parts:
            print_title("The rules, one process")
            print_rows(engine.rows(arguments.seconds))
        if "start" in arguments.parts:
            print_title("Starting")
            print_rows(startup.rows(Path(folder) / "up"))


def _measure_services(folder: Path, arguments: argparse.Namespace) -> None:
    (folder / "rig").mkdir()
    with rig(folder / "rig") as running:
        print(machine.describe(running.database_url, running.redis_url, folder))
        tokens = add_accounts(running.database_url, PLAYERS)
        numbers = itertools.count()
        load = Load(running, tokens, arguments.seconds, arguments.rounds, numbers)
        if "store" in arguments.parts:
            print_title("The store")
            print_rows(storage.append_rows(running, load.games(4), arguments.rounds))
        sizes = SIZES if "growth" in arguments.parts else {10: SIZES[10]}
        originals = [prepare(range(4), Options(), number) for number in range(ORIGINALS)]
        for size, (whole, begun) in sizes.items():
            storage.grow(running, originals, whole, begun)
            print_title(f"The services, {size} games in the store")
            print_rows([storage.rebuild_row(running)])
            print_rows(service.move_rows(load, (4,), ", nothing projected meanwhile"))
            print_rows(service.floor_rows(load))
            running.start(*PROJECTION)
            print_rows(service.move_rows(load))
            print_rows(service.depth_rows(load))
            print_rows(service.read_rows(load))
            print_rows([service.lag_row(load)])
            running.stop(*PROJECTION)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How fast it is here")
    parser.add_argument("parts", nargs="*", metavar="PART", default=PARTS)
    parser.add_argument("--seconds", type=float, default=1.5, help="of each single measurement")
    parser.add_argument("--rounds", type=int, default=3, help="of which the median counts")
    main(parser.parse_args())
