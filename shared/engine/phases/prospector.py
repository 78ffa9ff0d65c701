"""Prospector: the taker takes a doubloon, nothing else happens. Rules 4.7."""

from shared.engine.buildings.base import Building
from shared.engine.commands import Command
from shared.engine.errors import MayNotPass, OtherDecision, RuleViolation
from shared.engine.events import DoubloonsGained
from shared.engine.flow import end_phase, privilege_factor
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import Source


def begin(turn: Turn) -> None:
    game = turn.game
    assert game.phase is not None
    taker = game.phase.taker
    doubloons = privilege_factor(game, taker)
    turn.record(DoubloonsGained(taker, Source.PRIVILEGE, doubloons))
    end_phase(turn)


def options(game: Game, seat: int) -> list[Command]:
    return []


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return MayNotPass


def handle(turn: Turn, seat: int, command: Command) -> None:
    raise OtherDecision


def resume(turn: Turn, seat: int, occupied: list[Building]) -> None:
    raise AssertionError("the prospector asks nobody")
