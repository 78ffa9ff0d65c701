"""The draft of the building set, before the first round. Rules 8.1."""

from shared.engine import building_sets
from shared.engine.commands import ChooseBuilding, Command
from shared.engine.errors import BuildingNotOffered, MayNotPass, OtherDecision, RuleViolation
from shared.engine.events import BuildingDrafted, DraftEnded, RoundBegan
from shared.engine.flow import ask
from shared.engine.plantations import turn_up
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import Decision


def options(game: Game, seat: int) -> list[Command]:
    """The buildings that may be picked next."""
    assert game.drafted is not None
    return [ChooseBuilding(key) for key in building_sets.offered(game.options, game.drafted)]


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return MayNotPass


def handle(turn: Turn, seat: int, command: Command) -> None:
    """Pick a building; the next seat picks, until the set is complete."""
    if not isinstance(command, ChooseBuilding):
        raise OtherDecision
    game = turn.game
    assert game.drafted is not None
    if command.building not in building_sets.offered(game.options, game.drafted):
        raise BuildingNotOffered
    turn.record(BuildingDrafted(seat, command.building))
    if any(building_sets.room_per_cost(game.options, game.drafted).values()):
        ask(turn, (seat + 1) % len(game.players), Decision.CHOOSE_BUILDING)
    else:
        turn.record(DraftEnded())
        begin_first_round(turn)


def begin_first_round(turn: Turn) -> None:
    """The set is known: plantations are turned up, and seat 0 is the first governor (Rules 3)."""
    turn_up(turn)
    turn.record(RoundBegan(1, 0))
