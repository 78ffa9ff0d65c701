"""puertorico record: a game is written down from its audit trail, one line a move."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from uuid import UUID

import httpx

from services.automation import address
from services.automation.client import COMMAND_SECONDS, ApiError, Client, Document, audit_trail
from services.automation.failing import failure
from shared.engine import Game
from shared.engine.events import Event, GameSetUp
from shared.table import state
from shared.table.events import GameCreated
from shared.table.state import Table
from shared.wire.events import AnyEvent, decode_event
from shared.wire.game_record import GameRecord, Line, fingerprint, write_record
from shared.wire.intent import NoSuchMove, moves_behind
from shared.wire.named_draws import tiles_drawn


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=UUID, help="the id of the game")
    address.configure(parser)
    parser.add_argument("--token", help="a member's token, for a private game")
    parser.add_argument("--output", type=Path, help="the file to write (default: print it)")


def run(arguments: argparse.Namespace) -> int:
    client = Client(arguments.url, arguments.token)
    client.patience = COMMAND_SECONDS
    try:
        text = write_record(record(client, str(arguments.game)))
    except httpx.TransportError as error:
        return failure(address.unanswered(arguments.url, error))
    except (ApiError, NotStarted, NoSuchMove) as error:
        return failure(str(error))
    finally:
        client.close()
    if not arguments.output:
        print(text, end="")
        return 0
    try:
        arguments.output.write_text(text, encoding="utf-8")
    except OSError as error:
        return failure(f"{arguments.output} cannot be written: {error.strerror}")
    return 0


class NotStarted(Exception):
    """Nothing has been played yet."""


def record(client: Client, game_id: str) -> GameRecord:
    """The game as it stands, with the names of its players."""
    table, found = recorded(list(audit_trail(client, game_id)))
    accounts = client.get("/v1/accounts", ids=",".join(table.seats))["items"]
    names = {account["id"]: account["name"] for account in accounts}
    found.names = [names.get(account, account) for account in table.seats]
    return found


def recorded(trail: Sequence[Document]) -> tuple[Table, GameRecord]:
    """What the items of an audit trail say; the players are named by their accounts."""
    commands = groupby(trail, key=lambda item: item["command_id"])
    table = _before_the_start(next(commands)[1])
    found: GameRecord | None = None
    game: Game | None = None
    for _, items in commands:
        events = [_event(item) for item in items]
        played = [event for event in events if isinstance(event, Event)]
        if found is None or game is None:
            for event in events:
                state.apply(table, event)
            if table.game is not None:
                found, game = _beginning(table, played), table.game.clone()
        else:
            found.lines += _lines(game, played)
    if found is None or game is None:
        raise NotStarted("The game has not been started.")
    found.state = fingerprint(game)
    return table, found


def _before_the_start(items: Iterable[Document]) -> Table:
    created, *others = [_event(item) for item in items]
    assert isinstance(created, GameCreated)
    table = state.create(created)
    for event in others:
        state.apply(table, event)
    return table


def _event(item: Document) -> AnyEvent:
    return decode_event(item["type"], item["schema_version"], item["body"])


def _beginning(table: Table, events: Sequence[Event]) -> GameRecord:
    set_up = events[0]
    assert isinstance(set_up, GameSetUp) and table.game is not None
    return GameRecord(
        names=list(table.seats),
        options=set_up.options,
        buildings=set_up.buildings,
        version=table.game.version - len(events) + 1,
        next_draw=set_up.first_draw + set_up.draws,
        turned_up=tiles_drawn(events),
        game_id=table.game_id,
        rules=table.rules_version,
    )


def _lines(game: Game, events: Sequence[Event]) -> Iterator[Line]:
    """The moves that made these events, played on the game."""
    for seat, command, count in moves_behind(game, events):
        yield Line(seat, command, tiles_drawn(events[:count]))
        events = events[count:]
