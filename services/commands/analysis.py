"""POST /v1/analysis/...: a position is set up and tried out; nothing is stored.

For client authors, bots and teachers, who need no account: what may be done here, and what would
come of it?
"""

from __future__ import annotations

from typing import Annotated, Any

from flask import Response
from msgspec import Meta, Struct

from services.commands.analysis_schemas import (
    APPLY,
    FORMS,
    LEGAL_MOVES,
    ApplyRequest,
    ApplyRequestSchema,
    LegalMovesRequest,
    LegalMovesRequestSchema,
    SetUp,
    Step,
)
from services.commands.answers import ForeseenEvent, answer, shown
from services.commands.examples import EXAMPLES
from services.commands.operations import RULES
from shared.engine import ChanceNeeded, Game, RuleViolation, preview, set_up
from shared.engine.events import Event
from shared.engine.options import Options
from shared.http.blueprint import Blueprint, refuses
from shared.http.problems import Problem
from shared.http.refusals import refusal
from shared.table.chance import Draws
from shared.table.decide import RULES_VERSION
from shared.table.state import Status, Table
from shared.views.legal import LegalMoves, legal_moves
from shared.views.state import EVERYBODY, Awaited, State, awaiting
from shared.wire.events import encode_event
from shared.wire.full_position import read_full_position
from shared.wire.position import read_position
from shared.wire.possible import PositionRefused

blueprint = Blueprint(
    "analysis", __name__, description="Positions: set up and tried out, without an account."
)
blueprint.requested.extend(FORMS)

_OPENING = Draws(b"analysis")
"""Turns up an opening's plantations, always the same, where a position does not name them."""


class LegalAnalysis(Struct):
    """What may be done in a position."""

    awaiting: Annotated[list[Awaited], Meta(description="The seats the game waits for.")]
    legal_moves: Annotated[
        list[LegalMoves], Meta(description="Of the seat asked for, else of all awaited.")
    ]


class Outcome(Struct, kw_only=True):
    """What comes of moves in a position; nothing has been stored."""

    moves_applied: Annotated[int, Meta(description="The one that chance stopped included.")]
    chance: Annotated[bool, Meta(description="Stopped before a draw that was not given.")]
    events: list[ForeseenEvent]
    awaiting: Annotated[
        list[Awaited], Meta(description="The seats the game waits for; none at a draw.")
    ]
    state: Annotated[
        State,
        Meta(
            description="With every total, so that it can be sent as the next position, unless "
            "chance stopped it. It is nobody's game: ids, names and times are empty."
        ),
    ]


@blueprint.route("/v1/analysis/legal-moves", methods=["POST"])
@refuses("impossible_position", "option_not_allowed", "building_set_not_allowed", "rate_limited")
@blueprint.arguments(LegalMovesRequestSchema, examples=LEGAL_MOVES)
@blueprint.response(200, LegalAnalysis, example=EXAMPLES["analyse_legal_moves"])
def analyse_legal_moves(wish: LegalMovesRequest) -> Response:
    """List the legal moves of a position.

    Those of the seat that is asked for, or of all that the position waits for.
    """
    game = _set_up(wish)
    seats = [asked.seat for asked in game.awaiting]
    if "seat" in wish:
        _require_seat(game, wish["seat"], "/seat")
        seats = [wish["seat"]]
    table = _table(game)
    found = LegalAnalysis(awaiting(table), [legal_moves(table, seat) for seat in seats])
    return answer(found, 200).response()


@blueprint.route("/v1/analysis/apply", methods=["POST"])
@refuses("impossible_position", *RULES, "rate_limited")
@blueprint.arguments(ApplyRequestSchema, examples=APPLY)
@blueprint.response(200, Outcome, example=EXAMPLES["analyse_apply"])
def analyse_apply(wish: ApplyRequest) -> Response:
    """Make moves in a position.

    Goes on up to the first draw that is not given, and tells what happens on the way.
    """
    game, draws = _set_up(wish), _GivenDraws(wish["draws"])
    events: list[Event] = []
    applied, chance = 0, False
    while applied < len(wish["moves"]) and not chance:
        game, more, chance = _apply(game, wish["moves"][applied], draws, f"/moves/{applied}")
        events += more
        applied += 1
    table = _table(game)
    outcome = Outcome(
        moves_applied=applied,
        chance=chance,
        events=[ForeseenEvent(*encode_event(event)) for event in events],
        awaiting=awaiting(table),
        state=shown(table, EVERYBODY),
    )
    return answer(outcome, 200).response()


class _GivenDraws:
    """The draws that the request names, in order."""

    def __init__(self, given: list[int]) -> None:
        self._given, self._next = given, 0

    def __call__(self, _number: int, among: int) -> int:
        if self._next == len(self._given):
            raise ChanceNeeded
        drawn, pointer = self._given[self._next], f"/draws/{self._next}"
        if drawn >= among:
            raise PositionRefused(f"This draw is among {among}: a number below that.", pointer)
        self._next += 1
        return drawn


def _set_up(wish: SetUp) -> Game:
    """The game that the request sets up; faults of the position are told by their place in it."""
    position = wish["position"]
    if isinstance(position.get("players"), list):
        for key in ("players", "options"):
            if key in wish:
                raise _impossible("The position says this itself.", f"/{key}")
        return _read(position, None)
    if "players" not in wish:
        raise _impossible("Say how many play.", "/players")
    options = wish.get("options", Options())
    if options.buildings in ("random", "draft"):
        raise _impossible("Such a set can be in a whole state only.", "/options/buildings")
    return _read(position, set_up(wish["players"], options, _OPENING).game)


def _read(position: dict[str, Any], opening: Game | None) -> Game:
    try:
        if opening is None:
            return read_full_position(position)
        return read_position(position, opening)
    except PositionRefused as refused:
        raise _impossible(refused.detail, f"/position{refused.pointer}") from None


def _apply(
    game: Game, step: Step, draws: _GivenDraws, pointer: str
) -> tuple[Game, list[Event], bool]:
    """One move: the game after it, its events, and whether chance stopped it."""
    awaited = game.awaiting[0].seat if game.awaiting else 0
    seat = step.get("seat", awaited)
    _require_seat(game, seat, f"{pointer}/seat")
    try:
        turn, chance = preview(game, seat, step["move"], draws)
    except RuleViolation as violation:
        raise refusal(violation, pointer=pointer) from None
    except PositionRefused as refused:
        raise _impossible(refused.detail, refused.pointer) from None
    return turn.game, turn.events, chance


def _require_seat(game: Game, seat: int, pointer: str) -> None:
    if seat >= len(game.players):
        raise _impossible("There is no such seat.", pointer)


def _impossible(detail: str, pointer: str) -> Problem:
    return Problem("impossible_position", errors=[{"detail": detail, "pointer": pointer}])


def _table(game: Game) -> Table:
    """A table around a game that is nobody's."""
    return Table(
        game_id="",
        creator="",
        visibility="public",
        options=game.options,
        seed_commitment="",
        rules_version=RULES_VERSION,
        version=game.version,
        status=Status.FINISHED if game.is_over else Status.RUNNING,
        seats=("",) * len(game.players),
        game=game,
    )
