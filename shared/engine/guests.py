"""Guests: colonists that may be moved in any phase but the mayor's. Rules 8.2, guesthouse."""

from shared.engine import flow, phases
from shared.engine.commands import Command, MoveGuests, Pass
from shared.engine.errors import GuestsNotMovable, NoGuestsNow, OtherDecision, RuleViolation
from shared.engine.events import GuestsMoved, TurnPassed
from shared.engine.memory import Arranging
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import Decision

MOVE = Decision.MOVE_GUESTS
ELSEWHERE = (Decision.CHOOSE_ROLE, Decision.CHOOSE_BUILDING, Decision.PLACE_DRAWN_PLANTATION)
"""Decisions that moving a guest never settles."""


def options(game: Game, seat: int) -> list[Command]:
    """Moves of guests are many: they are not listed (open_moves.GuestMoves)."""
    return []


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return None


def may_move(game: Game, seat: int) -> bool:
    """Whether this seat may move a guest now: whenever the game waits on anybody."""
    if not game.movable_guests(game.players[seat]):
        return False
    return bool(game.awaiting) and not isinstance(game.phase, Arranging)


def move(turn: Turn, seat: int, command: MoveGuests) -> None:
    """Move guests, one or both, to empty circles; in the owner's own turn that may end it."""
    game = turn.game
    _check(game, seat, command)
    player = game.players[seat]
    before = game.active(player)
    source = game.guest_house(player)
    assert source is not None
    turn.record(GuestsMoved(seat, source, tuple(guest.to for guest in command.guests)))
    if (asked := game.asked(seat)) is None:
        return
    if asked.decision is MOVE:
        if not game.movable_guests(player):
            flow.skip(turn, [seat], MOVE)
            flow.guests_answered(turn, seat)
    elif asked.decision not in ELSEWHERE:
        occupied = [building for building in game.active(player) if building not in before]
        phases.current(game).resume(turn, seat, occupied)
    if game.asked(seat) is asked:  # asked anew, so that a retry cannot move a second guest
        flow.ask(turn, seat, asked.decision)


def handle(turn: Turn, seat: int, command: Command) -> None:
    """An owner who is asked for his guests moves them (above) or passes."""
    if not isinstance(command, Pass):
        raise OtherDecision("You are asked for your guests: move them or pass.")
    turn.record(TurnPassed(seat, MOVE))
    flow.guests_answered(turn, seat)


def _check(game: Game, seat: int, command: MoveGuests) -> None:
    if isinstance(game.phase, Arranging):
        raise NoGuestsNow("In the mayor phase guests are arranged with all other colonists.")
    player = game.players[seat]
    places = game.guest_places(player)
    wanted = [guest.to for guest in command.guests]
    if not 0 < len(wanted) <= game.guests(player):
        raise GuestsNotMovable
    if any(wanted.count(place) > places.get(place, 0) for place in wanted):
        raise GuestsNotMovable
