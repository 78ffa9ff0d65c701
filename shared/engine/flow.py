"""Who is next, and when a phase, a round or the game ends. Rules 3 and 5."""

from collections.abc import Callable, Sequence
from itertools import filterfalse

from shared.engine import scoring
from shared.engine.buildings.base import Building
from shared.engine.events import (
    DecisionAsked,
    EndTriggered,
    GameEnded,
    GuestsAsked,
    GuestsSettled,
    PhaseEnded,
    PointsGained,
    PrivilegeDoubled,
    RoundBegan,
    RoundEnded,
    TurnsSkipped,
)
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import (
    BuildingKey,
    Decision,
    EndReason,
    Moment,
    Role,
    Source,
)


def available_roles(game: Game) -> list[Role]:
    """The roles that may be taken now."""
    return [*filterfalse(game.roles_taken.__contains__, game.role_doubloons)]


# Turns within a phase


def ask(turn: Turn, seat: int, decision: Decision) -> None:
    """Wait for this seat."""
    turn.record(DecisionAsked(seat, decision))


def seats_after(game: Game, seat: int | None) -> tuple[int, ...]:
    """The seats whose turn of the phase is still to come: from its taker clockwise."""
    assert game.phase is not None
    seats = game.seats_from(game.phase.taker)
    return seats if seat is None else seats[seats.index(seat) + 1 :]


def ask_next(
    turn: Turn, after: int | None, decision: Decision, has_turn: Callable[[Game, int], bool]
) -> bool:
    """Ask the next seat that has something to decide; false when all have had their turn."""
    skipped: list[int] = []
    for seat in seats_after(turn.game, after):
        if has_turn(turn.game, seat):
            skip(turn, skipped, decision)
            ask(turn, seat, decision)
            return True
        skipped.append(seat)
    skip(turn, skipped, decision)
    return False


def skip(turn: Turn, seats: list[int], decision: Decision) -> None:
    """Record that these seats had nothing to decide (Rules 3.4)."""
    if seats:
        turn.record(TurnsSkipped(tuple(seats), decision))


def settle_or_ask(
    turn: Turn, after: int | None, decision: Decision, settle: Callable[[Turn, int], bool]
) -> bool:
    """Settle what has one outcome and ask the others, one by one or all at once (Rules 3.4, 10).

    `settle` does so and says true, or says false. Answers false when nobody has to be waited for.
    """
    at_once = turn.game.options.placement == "at_once"
    if not (at_once and after is not None):
        for seat in seats_after(turn.game, after):
            if not settle(turn, seat):
                ask(turn, seat, decision)
                if not at_once:
                    return True
    return bool(turn.game.awaiting)


# Privileges and points


def privilege_factor(game: Game, seat: int, *, within_reach: bool = False) -> int:
    """How often the privilege of the role being played counts for this seat (Rules 8.2, 9)."""
    player, phase = game.players[seat], game.phase
    if phase is None or player.doubled not in (None, phase.role):
        return 1
    ask = game.answers_within_reach if within_reach else game.answers
    factors = ask(player, Building.privilege_factor)
    return max(factors.values()) if factors else 1


def note_doubling(turn: Turn) -> None:
    """Two players: a doubling works once a round, for the first role that finds it (Rules 9)."""
    game = turn.game
    if len(game.players) != 2 or game.phase is None:
        return
    taker = game.phase.taker
    if game.players[taker].doubled is None and privilege_factor(game, taker) > 1:
        turn.record(PrivilegeDoubled(taker, game.phase.role))


def gain_points(turn: Turn, seat: int, source: BuildingKey | Source, points: int) -> None:
    """Points from the supply, and the end they may trigger."""
    if points:
        left = turn.game.supply.victory_points
        turn.record(PointsGained(seat, source, points))
        check_points(turn, left)


def check_points(turn: Turn, left_before: int) -> None:
    """The last victory point leaving the supply triggers the end (Rules 5)."""
    if left_before and not turn.game.supply.victory_points:
        trigger_end(turn, EndReason.VICTORY_POINTS)


def trigger_end(turn: Turn, reason: EndReason) -> None:
    """The game ends after this round; a later trigger does not replace the first (Rules 5)."""
    if turn.game.end_trigger is None:
        turn.record(EndTriggered(reason, turn.game.round))


# Phases, rounds, the end


def end_phase(turn: Turn) -> None:
    """The phase is over."""
    assert turn.game.phase is not None
    note_doubling(turn)
    turn.record(PhaseEnded(turn.game.phase.role))


def between_phases(turn: Turn) -> None:
    """The next role is taken, or the round is over, or the game (Rules 3, 5)."""
    game = turn.game
    if len(game.roles_taken) < game.roles_a_round():
        ask(turn, game.next_to_choose(), Decision.CHOOSE_ROLE)
    elif game.end_trigger is None:
        turn.record(RoundEnded(game.round, tuple(available_roles(game))))
        turn.record(RoundBegan(game.round + 1, (game.governor + 1) % len(game.players)))
    elif not ask_guests(turn, Moment.BEFORE_SCORING, game.governor):
        turn.record(GameEnded(*scoring.standings(game)))


# Guests are asked (Rules 8.2)


def ask_guests(turn: Turn, moment: Moment, first: int) -> bool:
    """Ask the owners of guests, clockwise from `first`; false if there are none."""
    if not any(map(turn.game.movable_guests, turn.game.players)):
        return False
    turn.record(GuestsAsked(moment, first))
    ask_next_owner(turn, turn.game.seats_from(first))
    return True


def guests_answered(turn: Turn, seat: int) -> None:
    """The owner asked has passed or moved all he could: the next one is asked."""
    window = turn.game.window
    assert window is not None
    seats = turn.game.seats_from(window.first)
    ask_next_owner(turn, seats[seats.index(seat) + 1 :])


def ask_next_owner(turn: Turn, seats: Sequence[int]) -> None:
    """Ask the first of these seats with a guest to move; if none has, the moment is over."""
    for seat in seats:
        if turn.game.movable_guests(turn.game.players[seat]):
            ask(turn, seat, Decision.MOVE_GUESTS)
            return
    assert turn.game.window is not None
    moment = turn.game.window.moment
    turn.record(GuestsSettled(moment))
    if moment is Moment.BEFORE_SCORING:
        turn.record(GameEnded(*scoring.standings(turn.game)))
