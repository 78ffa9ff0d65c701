"""Documents in Redis outlive the code that made them; their stamp tells whose they are."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from uuid import UUID

from msgspec import json

from shared.engine import play, set_up
from shared.readmodel.documents import STAMP, game_hash, places
from shared.table import state
from shared.table.decide import RULES_VERSION
from shared.table.events import GameCreated, GameStarted, PlayerJoined
from shared.table.state import Table
from tests.golden import playthrough
from tests.golden.__main__ import GAMES

MADE = {
    "1.1": "8bde9a1856d61361d9fd408e4d53a46ff6e8aa8e7f7133fb45a4f7951ebb105b",
}
"""Stamp → hash of what its code makes of the golden games. A line is added, never changed: what is
made otherwise under an old stamp is served from Redis as it was for a month."""


def test_what_is_made_otherwise_has_another_stamp() -> None:
    made = sha256()
    for file in sorted(GAMES.glob("*.txt")):
        for table in tables(file):
            fields = dict(game_hash(table).fields, stamp="")
            made.update(json.encode([fields, places(table)]))
    assert MADE.get(STAMP) == made.hexdigest(), "raise VIEW_FORMAT, or FOLD_VERSION, and add a line"


def tables(file: Path) -> Iterator[Table]:
    """One table in all the states that a golden game goes through."""
    header, moves = (told := playthrough.read(file.read_text())).header, told.moves
    accounts = [str(UUID(int=number)) for number in range(header.players)]
    game_id = str(UUID(int=99))
    table = state.create(
        GameCreated(game_id, accounts[0], "public", header.options, "", RULES_VERSION)
    )
    for account in accounts:
        state.apply(table, PlayerJoined(account, ""))
    yield table
    state.apply(table, GameStarted(tuple(accounts), 0, 0))
    for event in set_up(header.players, header.options, header.draw).events:
        state.apply(table, event)
    yield table
    for seat, command in moves:
        assert table.game is not None
        for event in play(table.game.clone(), seat, command, header.draw).events:
            state.apply(table, event)
        yield table
