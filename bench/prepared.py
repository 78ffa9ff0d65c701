"""Whole games known beforehand: who sends which move when, and the records that come of it.

The draws of a game follow from its seed, so whoever makes the seed can play the game without a
server. A load generator then only sends bytes that lie ready, and is never what is measured.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid5

import msgspec

from shared.engine.options import Options
from shared.eventstore.records import NO_HASH, NewEvent, NewRecord, Origin, build_records
from shared.ids import uuid7
from shared.table import decide
from shared.table import state as tables
from shared.table.chance import Draws, commitment, draw_key
from shared.table.decide import AnyEvent
from shared.table.events import GameCreated, PlayerJoined
from shared.table.state import Table
from shared.wire.events import encode_event
from shared.wire.moves import encode_move
from tests.properties.player import any_command

_NAMESPACE = UUID("6f1d7c0a-50b9-4c57-8d5e-6b6f3c4f9b11")


def account_of(player: int) -> UUID:
    """The id of the account behind a number."""
    return uuid5(_NAMESPACE, str(player))


@dataclass(frozen=True, slots=True)
class Move:
    """A move that must be accepted when it is sent in its turn."""

    player: int
    """The number of the account that makes it."""
    body: bytes


@dataclass(frozen=True, slots=True)
class PreparedGame:
    """A game from the lobby to its end."""

    game_id: UUID
    seed: bytes
    records: Sequence[NewRecord]
    versions: Sequence[int]
    """The version after the start, and after each move."""
    moves: Sequence[Move]

    def until(self, move: int) -> Sequence[NewRecord]:
        """The records of the lobby and of so many moves."""
        return self.records[: self.versions[move]]


class _Scribe:
    """Writes the records of one game while it is played."""

    def __init__(self, game_id: UUID, rng: random.Random) -> None:
        self._game_id, self._rng = game_id, rng
        self._table: Table | None = None
        self.records: list[NewRecord] = []

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    def write(self, events: Sequence[AnyEvent], actor: UUID) -> None:
        origin = Origin(
            game_id=self._game_id,
            command_id=self._rng.randbytes(16),
            time=datetime.now(UTC),
            actor=actor,
        )
        head = self.records[-1].hash if self.records else NO_HASH
        new = [NewEvent(*encode_event(event)) for event in events]
        self.records += build_records(new, origin, len(self.records), head)
        for event in events:
            if self._table is None:
                assert isinstance(event, GameCreated)
                self._table = tables.create(event)
            else:
                tables.apply(self._table, event)


def prepare(players: Sequence[int], options: Options, number: int) -> PreparedGame:
    """Play a game of these accounts with random moves; the same number gives the same moves."""
    rng = random.Random(number)
    game_id, seed = uuid7(), rng.randbytes(32)
    accounts = {account_of(player): player for player in players}
    creator, *others = accounts
    scribe = _Scribe(game_id, rng)
    opened = decide.create(str(game_id), str(creator), "public", options, commitment(seed))
    scribe.write([*opened, PlayerJoined(str(creator), "")], creator)
    for account in others:
        scribe.write(decide.join(scribe.table, str(account), ""), account)
    draw = Draws(draw_key(seed, str(game_id), [""] * len(accounts)))
    scribe.write(decide.start(scribe.table, str(creator), draw), creator)
    versions, moves = [scribe.table.version], []
    while (game := scribe.table.game) is not None and not game.is_over:
        seat = rng.choice(game.awaiting).seat
        account = UUID(scribe.table.seats[seat])
        command = any_command(rng, game, seat)
        scribe.write(decide.move(scribe.table, str(account), command, draw, seed), account)
        moves.append(Move(accounts[account], msgspec.json.encode({"move": encode_move(command)})))
        versions.append(scribe.table.version)
    return PreparedGame(game_id, seed, scribe.records, versions, moves)
