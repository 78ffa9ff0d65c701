"""What cannot be: moments at which no game could wait. Rules 3, 4, 8.2.

A position between two roles shows little of this; in the middle of a phase the engine goes on from
what the position says has happened, so that must fit.
"""

from collections.abc import Collection, Iterator, Sequence

from shared.engine import legal
from shared.engine.commands import Pass
from shared.engine.evolve import MEMORY
from shared.engine.memory import (
    Arranging,
    Constructing,
    Crafting,
    Loading,
    PhaseMemory,
    Settling,
    Storing,
    Trading,
)
from shared.engine.open_moves import open_moves
from shared.engine.state import Asked, Game, Window
from shared.engine.vocabulary import PLANTATIONS, Decision, Moment, Role
from shared.wire.possible import Fault

_ASKS: dict[type[PhaseMemory], Decision] = {
    Settling: Decision.TAKE_PLANTATION,
    Arranging: Decision.PLACE_COLONISTS,
    Constructing: Decision.BUILD,
    Crafting: Decision.TAKE_EXTRA_GOOD,
    Trading: Decision.SELL_GOOD,
    Loading: Decision.LOAD_GOODS,
    Storing: Decision.STORE_GOODS,
}
_PHASE, _WINDOW = "/phase_state/phase", "/phase_state/guests_asked"


def moment_faults(game: Game) -> Iterator[Fault]:
    """Why the game cannot wait for these seats now. Its roles were taken in turn order."""
    if game.phase is not None:
        yield from _phase_faults(game, game.phase)
    if game.window is not None:
        yield from _window_faults(game, game.window)
    if game.drafted is not None and (game.phase or game.window or game.roles_taken):
        yield "/phase_state/drafted", "A draft comes before the first role."
    all_taken = len(game.roles_taken) >= game.roles_a_round()
    if all_taken and game.phase is None and game.window is None and not game.is_over:
        yield "/roles_taken", "All roles of the round are taken."
    yield from _awaiting_faults(game)


# The phase being played


def _phase_faults(game: Game, phase: PhaseMemory) -> Iterator[Fault]:
    last = (game.governor + len(game.roles_taken) - 1) % len(game.players)
    if game.roles_taken.get(phase.role) != phase.taker or phase.taker != last:
        yield f"{_PHASE}/taker", "The role being played is the last that was taken."
    if not isinstance(phase, MEMORY[phase.role]) and not _stores(phase):
        yield f"{_PHASE}/kind", f"This is not what a {phase.role} does."
    match phase:
        case Settling():
            yield from _settling_faults(game, phase)
        case Crafting():
            yield from _seat_faults(game, phase.produced, f"{_PHASE}/produced")
        case Loading():
            yield from _loading_faults(game, phase)
        case _:
            pass


def _stores(phase: PhaseMemory) -> bool:
    return isinstance(phase, Storing) and phase.role is Role.CAPTAIN


def _settling_faults(game: Game, phase: Settling) -> Iterator[Fault]:
    if phase.drawn is None:
        return
    if phase.drawn not in PLANTATIONS:
        yield f"{_PHASE}/drawn", f"A {phase.drawn} cannot be drawn."
    if not phase.drew or phase.leftover:
        yield f"{_PHASE}/drew", "A tile is drawn before the normal take."
    for asked in game.awaiting:
        if not game.players[asked.seat].free_island_spaces():
            yield f"{_PHASE}/drawn", "There is no free island space for it."


def _loading_faults(game: Game, phase: Loading) -> Iterator[Fault]:
    if phase.idle_turns >= len(game.players):
        yield f"{_PHASE}/idle_turns", "After so many turns without a load the loading is over."
    yield from _seat_faults(game, phase.had_turn, f"{_PHASE}/had_turn")
    used = f"{_PHASE}/private_ships_used"
    yield from _seat_faults(game, phase.private_ships_used, used)
    for seat, ships in phase.private_ships_used.items():
        for key in ships:
            if key not in game.players[seat].city or game.catalog[key].private_ship() is None:
                yield f"{used}/{seat}", f"This seat has no {key} to ship with."


def _seat_faults(game: Game, seats: Collection[int], pointer: str) -> Iterator[Fault]:
    if len(set(seats)) < len(seats) or any(seat >= len(game.players) for seat in seats):
        yield pointer, "It names seats of the game, each once."


# Owners of guests are asked


def _window_faults(game: Game, window: Window) -> Iterator[Fault]:
    phase, moment = game.phase, window.moment
    first = game.governor if phase is None else phase.taker
    match moment:
        case Moment.PHASE_START:
            fits = phase == _untouched(phase) and not isinstance(phase, Arranging | None)
        case Moment.BEFORE_STORAGE:
            fits = isinstance(phase, Storing)
        case Moment.BEFORE_SCORING:
            ends = game.end_trigger is not None
            fits = phase is None and ends and len(game.roles_taken) == game.roles_a_round()
    if not fits:
        yield f"{_WINDOW}/moment", f"This moment is not {moment}."
    if window.first != first:
        yield f"{_WINDOW}/first", f"Seat {first} is asked first."


def _untouched(phase: PhaseMemory | None) -> PhaseMemory | None:
    """The same phase as it begins."""
    return phase and MEMORY[phase.role](role=phase.role, taker=phase.taker)


# Who is asked


def _awaiting_faults(game: Game) -> Iterator[Fault]:
    if game.is_over != (not game.awaiting):
        yield "/awaiting", "Somebody is asked until the game is over."
    several = game.options.placement == "at_once" and isinstance(game.phase, Arranging | Storing)
    if len(game.awaiting) > 1 and (game.window is not None or not several):
        yield "/awaiting", "Only one seat is asked at a time."
    if len({asked.seat for asked in game.awaiting}) < len(game.awaiting):
        yield "/awaiting", "A seat is asked once."
    for index, asked in enumerate(game.awaiting):
        yield from _asked_faults(game, asked, f"/awaiting/{index}")


def _asked_faults(game: Game, asked: Asked, pointer: str) -> Iterator[Fault]:
    if asked.decision is not _decision(game):
        yield f"{pointer}/decision", "This is not asked for now."
    if asked.seat not in _possible_seats(game):
        yield f"{pointer}/seat", "This seat cannot be asked now."
    if legal(game, asked.seat) in ([], [Pass()]) and not open_moves(game, asked.seat):
        yield pointer, "This seat has nothing to decide, so it would not be asked."


def _decision(game: Game) -> Decision | None:
    """The only decision that can be asked for now."""
    if game.drafted is not None:
        return Decision.CHOOSE_BUILDING
    if game.window is not None:
        return Decision.MOVE_GUESTS
    if game.phase is None:
        return Decision.CHOOSE_ROLE
    if isinstance(game.phase, Settling) and game.phase.drawn is not None:
        return Decision.PLACE_DRAWN_PLANTATION
    return _ASKS.get(type(game.phase))


def _possible_seats(game: Game) -> Sequence[int]:
    """The seats that this decision can be asked of; all if any can."""
    if game.drafted is not None:
        return [len(game.drafted) % len(game.players)]
    if game.window is not None:
        return game.seats_from(0)
    match game.phase:
        case None:
            return [game.next_to_choose()]
        case Crafting(taker=taker) | Settling(leftover=True, taker=taker):
            return [taker]
        case _:
            return game.seats_from(0)
