"""What may be done at a table: events, or a TableRefusal or RuleViolation; nothing is changed."""

from shared.engine import Draw, Game, check_options, play, preview, set_up
from shared.engine.commands import Command
from shared.engine.events import Event
from shared.engine.options import Options
from shared.table import errors
from shared.table.chance import seating
from shared.table.events import (
    GameAborted,
    GameCreated,
    GameStarted,
    PlayerJoined,
    PlayerLeft,
    SeatGiven,
    SeedRevealed,
    TableEvent,
)
from shared.table.state import MAX_PLAYERS, MIN_PLAYERS, Status, Table

AnyEvent = TableEvent | Event
RULES_VERSION = 1
"""Raised when a ruling changes; running games keep theirs in their first event."""


def create(
    game_id: str, creator: str, visibility: str, options: Options, seed_commitment: str
) -> list[AnyEvent]:
    """Open a table. Raises a RuleViolation for options that no number of players allows."""
    check_options(MAX_PLAYERS, options)
    return [GameCreated(game_id, creator, visibility, options, seed_commitment, RULES_VERSION)]


def join(table: Table, account: str, nonce: str) -> list[AnyEvent]:
    """Take a seat."""
    if table.status is not Status.OPEN:
        raise errors.GameNotOpen
    if any(member.account == account for member in table.members):
        raise errors.AlreadyJoined
    if len(table.members) >= MAX_PLAYERS:
        raise errors.GameIsFull
    return [PlayerJoined(account, nonce)]


def leave(table: Table, account: str) -> list[AnyEvent]:
    """Give one's seat up."""
    if table.status is not Status.OPEN:
        raise errors.GameNotOpen
    if not any(member.account == account for member in table.members):
        raise errors.NotJoined
    return [PlayerLeft(account)]


def seat_bot(table: Table, account: str, bot: str, nonce: str) -> list[AnyEvent]:
    """The creator gives a seat to a bot."""
    if account != table.creator:
        raise errors.NotTheCreator
    return join(table, bot, nonce)


def take_out(table: Table, account: str, bot: str) -> list[AnyEvent]:
    """The creator takes a bot out again."""
    if account != table.creator:
        raise errors.NotTheCreator
    return leave(table, bot)


def start(table: Table, account: str, draw: Draw) -> list[AnyEvent]:
    """Seat the players and set the game up. Raises a RuleViolation if the options forbid it."""
    if table.status is not Status.OPEN:
        raise errors.GameNotOpen
    if account != table.creator:
        raise errors.NotTheCreator
    count = len(table.members)
    if count < MIN_PLAYERS:
        raise errors.TooFewPlayers
    check_options(count, table.options)
    order, draws = list(range(count)), 0
    if table.options.seating == "random":
        order, draws = seating(count, draw, 0), count - 1
    seats = tuple(table.members[place].account for place in order)
    return [GameStarted(seats, 0, draws), *set_up(count, table.options, draw, draws).events]


def give_seat(table: Table, account: str, bot: str) -> list[AnyEvent]:
    """A player gives his seat to a bot that has none."""
    if table.status is not Status.RUNNING:
        raise errors.GameNotRunning
    _, seat = _played(table, account)
    if bot in table.seats:
        raise errors.AlreadyJoined
    return [SeatGiven(seat, bot)]


def abort(table: Table, account: str, seed: bytes) -> list[AnyEvent]:
    """End the game before its end."""
    if table.status not in (Status.OPEN, Status.RUNNING):
        raise errors.GameNotRunning
    if account != table.creator:
        raise errors.NotTheCreator
    return [GameAborted(), SeedRevealed(seed.hex())]


def move(table: Table, account: str, command: Command, draw: Draw, seed: bytes) -> list[AnyEvent]:
    """A player's move; with the game's last event the seed is revealed."""
    game, seat = _played(table, account)
    turn = play(game.clone(), seat, command, draw)
    events: list[AnyEvent] = list(turn.events)
    if turn.game.is_over:
        events.append(SeedRevealed(seed.hex()))
    return events


def foresee(table: Table, account: str, command: Command) -> tuple[list[Event], bool]:
    """A move's events up to the first draw, and whether there is one."""
    game, seat = _played(table, account)
    turn, chance = preview(game, seat, command)
    return turn.events, chance


def _played(table: Table, account: str) -> tuple[Game, int]:
    """The game, which may be over, and the seat of the account in it."""
    if table.status not in (Status.RUNNING, Status.FINISHED) or table.game is None:
        raise errors.GameNotRunning
    seat = table.seat_of(account)
    if seat is None:
        raise errors.NotJoined
    return table.game, seat
