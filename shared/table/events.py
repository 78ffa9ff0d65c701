"""What happens at a table besides the game itself. Accounts are opaque ids without names."""

from msgspec import Struct

from shared.engine.options import Options


class TableEvent(Struct, frozen=True):
    """Base of the events of the lobby, the start, an abort and the seed."""


class GameCreated(TableEvent, frozen=True):
    """A table was opened; the first event of every game.

    `seed_commitment`: SHA-256 of the seed, in hex (docs/fair-draws.md).
    `rules_version`: the edition of docs/rules.md the game is played by.
    """

    game_id: str
    creator: str
    visibility: str
    """`public`, or `private`: joined with a code, seen by its members only."""
    options: Options
    seed_commitment: str
    rules_version: int


class PlayerJoined(TableEvent, frozen=True):
    """An account took a seat; `nonce` goes into the draws."""

    account: str
    nonce: str


class PlayerLeft(TableEvent, frozen=True):
    """An account gave its seat up before the start."""

    account: str


class GameStarted(TableEvent, frozen=True):
    """Who sits where: account ids by seat, seat 0 the first governor.

    `first_draw`, `draws`: the draws that made the seating, none as joined.
    """

    seats: tuple[str, ...]
    first_draw: int
    draws: int


class SeatGiven(TableEvent, frozen=True):
    """A seat was given to a bot's account, which plays on."""

    seat: int
    account: str


class GameAborted(TableEvent, frozen=True):
    """The game was ended before its end; nobody wins."""


class SeedRevealed(TableEvent, frozen=True):
    """The seed, in hex: from now on everybody can recompute every draw."""

    seed: str
