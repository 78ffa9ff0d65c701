"""puertorico replay: a written game is played again and compared with the state it ended in."""

from __future__ import annotations

import argparse
from pathlib import Path

from services.automation.failing import failure
from shared.engine import Game
from shared.wire.game_record import (
    BadRecord,
    GameRecord,
    fingerprint,
    read_record,
    replayed,
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="what `puertorico record` wrote")


def run(arguments: argparse.Namespace) -> int:
    try:
        record = read_record(arguments.file.read_text(encoding="utf-8"))
        *_, game = replayed(record)
    except OSError as error:
        return failure(f"{arguments.file} cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        return failure(f"{arguments.file} is no text in UTF-8")
    except BadRecord as error:
        return failure(str(error))
    _print(record, game)
    found = fingerprint(game)
    if record.state and record.state != found:
        return failure(f"the state is {found}, not {record.state}.")
    print(f"\nstate: {found}")
    print("This is the recorded state." if record.state else "The record names no state.")
    return 0


def _print(record: GameRecord, game: Game) -> None:
    """The scores, or the boards of a game that goes on."""
    print(f"{len(record.lines)} moves, round {game.round}.")
    if game.is_over:
        print(f"\n{'':20}{'points':>8}{'buildings':>11}{'bonuses':>9}{'total':>7}")
        for name, score in zip(record.names, game.scores, strict=True):
            mark = "  wins" if score.seat in game.winners else ""
            print(
                f"{name:20}{score.victory_points:>8}{score.buildings:>11}"
                f"{sum(score.bonuses.values()):>9}{score.total:>7}{mark}"
            )
        return
    for name, player in zip(record.names, game.players, strict=True):
        print(
            f"{name:20}{player.victory_points:>4} points{player.doubloons:>4} doubloons"
            f"{len(player.island):>4} tiles{len(player.city):>4} buildings"
        )
    for asked in game.awaiting:
        print(f"The game waits for {record.names[asked.seat]}: {asked.decision}.")
