"""Games played at random, with the records that the command service would store."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from shared.engine import Game, legal
from shared.engine.commands import Command
from shared.engine.open_moves import open_moves
from shared.engine.options import Options
from shared.eventstore.fold import fold
from shared.eventstore.records import NO_HASH, NewEvent, NewRecord, Origin, build_records, rfc3339
from shared.eventstore.store import EventStore
from shared.ids import uuid7
from shared.table import decide, state
from shared.table.chance import Draws, commitment, draw_key
from shared.table.decide import AnyEvent
from shared.table.events import GameCreated
from shared.table.state import Status, Table
from shared.wire.events import encode_event

SEED = bytes(range(32))
START = datetime(2030, 1, 1, tzinfo=UTC)


class Play:
    """A table, opened and joined by `accounts`, with its records; `rng` chooses the moves."""

    table: Table
    last_move: tuple[int, Command]
    """The seat that moved last, and how."""

    def __init__(
        self,
        accounts: Sequence[UUID] | int = 4,
        options: Options | None = None,
        visibility: str = "public",
        rng: random.Random | None = None,
        game_id: UUID | None = None,
    ) -> None:
        self.game_id = game_id or uuid7()
        self.accounts = (
            [uuid7() for _ in range(accounts)] if isinstance(accounts, int) else accounts
        )
        self.rng = rng or random.Random(1)
        self.records: list[NewRecord] = []
        self.unstored: list[tuple[bytes, list[NewRecord]]] = []
        creator = str(self.accounts[0])
        self.record(
            decide.create(
                str(self.game_id), creator, visibility, options or Options(), commitment(SEED)
            ),
            self.accounts[0],
        )
        for number, account in enumerate(self.accounts):
            self.record(decide.join(self.table, str(account), f"nonce-{number}"), account)

    @property
    def draws(self) -> Draws:
        nonces = [member.nonce for member in self.table.members]
        return Draws(draw_key(SEED, str(self.game_id), nonces))

    def start(self) -> "Play":
        creator = str(self.accounts[0])
        self.record(decide.start(self.table, creator, self.draws), self.accounts[0])
        return self

    def move(self, command: Command | None = None) -> None:
        """A seat that is awaited makes this move, or any."""
        game = self.table.game
        assert game is not None
        seat = self.rng.choice(game.awaiting).seat
        command = command or self.rng.choice(playable(game, seat))
        account = self.table.seats[seat]
        self.last_move = (seat, command)
        self.record(decide.move(self.table, account, command, self.draws, SEED), UUID(account))

    def moves(self, most: int) -> "Play":
        """Make so many moves, fewer if the game ends."""
        for _ in range(most):
            if self.table.status is Status.RUNNING:
                self.move()
        return self

    def abort(self) -> None:
        self.record(decide.abort(self.table, str(self.accounts[0]), SEED), self.accounts[0])

    def record(self, events: Sequence[AnyEvent], actor: UUID) -> None:
        """Apply the events as they were decided, and write their records."""
        version = self.records[-1].version if self.records else 0
        time = START + timedelta(seconds=version)
        command_id = self.rng.randbytes(16)
        records = build_records(
            [NewEvent(*encode_event(event)) for event in events],
            Origin(game_id=self.game_id, command_id=command_id, time=time, actor=actor),
            version,
            self.records[-1].hash if self.records else NO_HASH,
        )
        self.unstored.append((command_id, records))
        self.records += records
        for event in events:
            if isinstance(event, GameCreated):
                self.table = state.create(event)
                self.table.created_at = rfc3339(time)
            else:
                state.apply(self.table, event)
        self.table.updated_at = rfc3339(time)
        self.table.head_hash = records[-1].hash.hex()

    def replayed(self, upto: int | None = None) -> Table:
        """The table that the records say, all of them or those up to a version."""
        table = fold(self.records[:upto])
        assert table is not None
        return table

    def store(
        self, store: EventStore, invitation_code: str | None = None, seed: bytes = SEED
    ) -> "Play":
        """Append what is not stored yet."""
        for command_id, records in self.unstored:
            after = records[0].version - 1
            if after:
                previous = self.records[after - 1].hash
                store.append(self.game_id, after, previous, command_id, records)
            else:
                store.create_game(
                    self.game_id, command_id, records, seed, invitation_code=invitation_code
                )
        self.unstored.clear()
        return self


def playable(game: Game, seat: int) -> list[Command]:
    """What is offered to a seat, with one way to make each open move."""
    return [*legal(game, seat), *(move.example for move in open_moves(game, seat))]
