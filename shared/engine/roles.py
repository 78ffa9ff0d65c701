"""A role is taken, and its phase begins. Rules 3."""

from shared.engine import flow
from shared.engine.commands import ChooseRole, Command
from shared.engine.errors import (
    MayNotPass,
    NoPrivilegeToDecline,
    OtherDecision,
    RoleNotAvailable,
    RuleViolation,
)
from shared.engine.events import PrivilegeDeclined, RoleChosen
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import Moment, Role

MAYOR = Role.MAYOR
CHOOSE = {role: ChooseRole(role) for role in Role}


def options(game: Game, seat: int) -> list[Command]:
    return [CHOOSE[role] for role in flow.available_roles(game)]


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return MayNotPass


def handle(turn: Turn, seat: int, command: Command) -> None:
    """Take the role; owners of guests are asked first, but in the mayor phase, which moves all."""
    if not isinstance(command, ChooseRole):
        raise OtherDecision
    game, role = turn.game, command.role
    if role not in flow.available_roles(game):
        raise RoleNotAvailable
    if command.decline_privilege and role is not MAYOR:
        raise NoPrivilegeToDecline
    turn.record(RoleChosen(seat, role, game.role_doubloons[role]))
    flow.note_doubling(turn)
    if role is not MAYOR:
        flow.ask_guests(turn, Moment.PHASE_START, seat)
    elif command.decline_privilege:
        turn.record(PrivilegeDeclined(seat))
