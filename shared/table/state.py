"""The state of a table and its fold from events."""

from enum import StrEnum

from msgspec import Struct

from shared.engine import Game, evolve, opening
from shared.engine.events import Event, GameEnded, GameSetUp
from shared.engine.options import Options
from shared.table import events as e

MIN_PLAYERS, MAX_PLAYERS = 2, 5


class Status(StrEnum):
    """The life of a game."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"


class Member(Struct, frozen=True):
    """Who has joined, with the nonce he gave."""

    account: str
    nonce: str


class Table(Struct):
    """All that the events of one game say. `version` is the number of the last event."""

    game_id: str
    creator: str
    visibility: str
    options: Options
    seed_commitment: str
    rules_version: int
    version: int = 1
    status: Status = Status.OPEN
    members: list[Member] = []
    """In join order. A seat given away changes nothing here: the nonces are the draws' key."""
    seats: tuple[str, ...] = ()
    """Account ids by seat, once started; a seat given away is its new owner's."""
    game: Game | None = None
    seed: str | None = None
    """In hex, once revealed."""
    created_at: str = ""
    updated_at: str = ""
    """Times of the first and the last event, RFC 3339."""
    head_hash: str = ""
    """Hash of the last event, in hex."""

    def clone(self) -> "Table":
        """A copy that shares nothing mutable with this table."""
        return Table(
            self.game_id,
            self.creator,
            self.visibility,
            self.options,
            self.seed_commitment,
            self.rules_version,
            self.version,
            self.status,
            list(self.members),
            self.seats,
            None if self.game is None else self.game.clone(),
            self.seed,
            self.created_at,
            self.updated_at,
            self.head_hash,
        )

    def seat_of(self, account: str | None) -> int | None:
        """The seat of this account in a started game."""
        return self.seats.index(account) if account in self.seats else None

    def is_member(self, account: str | None) -> bool:
        """Whether the account created the game, has joined it or was given a seat in it."""
        return account is not None and account in self.accounts()

    def accounts(self) -> set[str]:
        """All that belong to the game. Who has given a seat away may still watch."""
        return {self.creator, *(member.account for member in self.members), *self.seats}

    def may_be_seen_by(self, account: str | None) -> bool:
        """A private game is seen by its members only."""
        return self.visibility == "public" or self.is_member(account)


def create(event: e.GameCreated) -> Table:
    """The table that its first event makes."""
    return Table(
        event.game_id,
        event.creator,
        event.visibility,
        event.options,
        event.seed_commitment,
        event.rules_version,
    )


def apply(table: Table, event: e.TableEvent | Event) -> None:
    """Apply one event after the first."""
    table.version += 1
    match event:
        case GameSetUp():
            table.game = opening(event, table.version)
        case Event():
            assert table.game is not None
            evolve(table.game, event)
            if isinstance(event, GameEnded):
                table.status = Status.FINISHED
        case e.PlayerJoined(account=account, nonce=nonce):
            table.members.append(Member(account, nonce))
        case e.PlayerLeft(account=account):
            table.members = [m for m in table.members if m.account != account]
        case e.GameStarted(seats=seats):
            table.seats, table.status = seats, Status.RUNNING
        case e.SeatGiven(seat=seat, account=account):
            assert table.game is not None
            table.seats = (*table.seats[:seat], account, *table.seats[seat + 1 :])
            table.game.version = table.version  # it counts this event, too
        case e.GameAborted():
            table.status = Status.ABORTED
        case e.SeedRevealed(seed=seed):
            table.seed = seed
        case _:
            raise AssertionError("a table is created once")
