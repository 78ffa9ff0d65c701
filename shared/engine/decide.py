"""Whose turn, which decision, then that phase: events, or a RuleViolation."""

from shared.engine import building_sets, draft, flow, guests, phases, roles
from shared.engine.buildings.catalog import BASE_VIOLET
from shared.engine.commands import Command, MoveGuests, Pass
from shared.engine.errors import GameIsOver, NotAwaited, OptionNotAllowed
from shared.engine.events import Event, GameSetUp
from shared.engine.options import Options
from shared.engine.phases import (
    Asker,
    builder,
    captain,
    craftsman,
    mayor,
    settler,
    storage,
    trader,
)
from shared.engine.setup import COMPONENTS, opening
from shared.engine.state import Game
from shared.engine.turn import ChanceNeeded, Draw, Turn, no_chance
from shared.engine.vocabulary import BuildingKey, Decision

ASKERS: dict[Decision, Asker] = {
    Decision.CHOOSE_BUILDING: draft,
    Decision.CHOOSE_ROLE: roles,
    Decision.TAKE_PLANTATION: settler,
    Decision.PLACE_DRAWN_PLANTATION: settler,
    Decision.PLACE_COLONISTS: mayor,
    Decision.BUILD: builder,
    Decision.TAKE_EXTRA_GOOD: craftsman,
    Decision.SELL_GOOD: trader,
    Decision.LOAD_GOODS: captain,
    Decision.STORE_GOODS: storage,
    Decision.MOVE_GUESTS: guests,
}
"""Whose decision it is."""
PASS = Pass()


def decide(game: Game, seat: int, command: Command, draw: Draw) -> list[Event]:
    """What happens when this seat gives this command; the game itself is left unchanged."""
    return play(game.clone(), seat, command, draw).events


def play(game: Game, seat: int, command: Command, draw: Draw) -> Turn:
    """The same, on the game itself. Refusals come before any change."""
    turn = Turn(game, draw)
    _handle(turn, seat, command)
    _advance(turn)
    return turn


def preview(game: Game, seat: int, command: Command, draw: Draw = no_chance) -> tuple[Turn, bool]:
    """What would happen up to a draw that is not known, and whether one stopped it.

    The game is unchanged; a draw that is not known raises ChanceNeeded.
    """
    turn = Turn(game.clone(), draw)
    try:
        _handle(turn, seat, command)
        _advance(turn)
    except ChanceNeeded:
        return turn, True
    return turn, False


def set_up(players: int, options: Options, draw: Draw, first_draw: int = 0) -> Turn:
    """A new game up to its first decision (Rules 1, 8.1). Raises what `check_options` raises."""
    check_options(players, options)
    violet: tuple[BuildingKey, ...] = ()
    draws = 0
    match options.buildings:
        case "base":
            violet = BASE_VIOLET
        case "custom":
            violet = options.custom_buildings
        case "random":
            violet, draws = building_sets.draw_set(options, draw, first_draw)
        case "draft":
            pass
    event = GameSetUp(players, options, violet, first_draw, draws)
    turn = Turn(opening(event), draw)
    turn.events.append(event)
    begin(turn)
    return turn


def begin(turn: Turn) -> None:
    """From the opening to the first decision."""
    if turn.game.drafted is None:
        draft.begin_first_round(turn)
    else:
        flow.ask(turn, 0, Decision.CHOOSE_BUILDING)
    _advance(turn)


def check_options(players: int, options: Options) -> None:
    """Raise OptionNotAllowed or SetNotAllowed if no such game can be."""
    if players not in COMPONENTS:
        raise OptionNotAllowed(f"A game has {min(COMPONENTS)} to {max(COMPONENTS)} players.")
    if options.points_supply == "126" and players != 5:
        raise OptionNotAllowed("The supply of 126 points is for five players.")
    building_sets.check(options)


def legal(game: Game, seat: int) -> list[Command]:
    """The commands this seat may give now, without optional flags.

    Those with many arguments, and builds payable only by an exchange, are in `open_moves`.
    """
    asked = game.asked(seat)
    if asked is None:
        return []
    asker = ASKERS[asked.decision]
    found = asker.options(game, seat)
    if asker.why_not_pass(game, seat) is None:
        found.append(PASS)
    return found


def _handle(turn: Turn, seat: int, command: Command) -> None:
    game = turn.game
    if seat not in range(len(game.players)):  # else the list would count it from its end
        raise NotAwaited("There is no such seat.")
    asked = game.asked(seat)
    if isinstance(command, MoveGuests) and not game.is_over:
        guests.move(turn, seat, command)
        return
    if asked is None:
        raise GameIsOver if game.is_over else NotAwaited
    asker = ASKERS[asked.decision]
    if isinstance(command, Pass) and (violation := asker.why_not_pass(game, seat)) is not None:
        raise violation
    asker.handle(turn, seat, command)


def _advance(turn: Turn) -> None:
    """Let the next thing happen until somebody is asked or the game is over."""
    game = turn.game
    while not game.awaiting and not game.is_over:
        if game.phase is not None:
            phases.current(game).begin(turn)
        else:
            flow.between_phases(turn)
    flow.note_doubling(turn)
