"""POST /v1/games/{game_id}/moves and /preview: a move made, and a move tried out."""

from __future__ import annotations

from itertools import takewhile

from flask import Response

from services.commands.answers import Change, ForeseenEvent, Preview, answer, shown
from services.commands.changing import Decide, problem_of, require_visible
from services.commands.desk import change, games
from services.commands.examples import EXAMPLES
from services.commands.game_schemas import MoveRequest, MoveRequestSchema
from services.commands.games import Snapshot
from services.commands.move_examples import MOVES
from services.commands.operations import CHANGED, GUARDED, RULES, VERSIONED, changes_game
from shared.engine import RuleViolation
from shared.engine.commands import Command
from shared.engine.events import Event, GameEnded
from shared.http.addresses import game_id_parameter, id_of
from shared.http.auth import caller, requires
from shared.http.blueprint import Blueprint, refuses
from shared.http.links import leads_to
from shared.http.problems import Problem
from shared.table import decide, state
from shared.table.decide import AnyEvent
from shared.table.errors import TableRefusal
from shared.table.state import Status, Table
from shared.views import state as views
from shared.wire.events import encode_event

blueprint = Blueprint("moves", __name__, description="Moves: made, and tried out.")


@blueprint.route("/v1/games/<game_id>/moves", methods=["POST"], parameters=[game_id_parameter()])
@changes_game
@refuses(*CHANGED, "invalid", "decision_closed", "game_not_running", "not_joined", *RULES)
@blueprint.arguments(MoveRequestSchema, examples=MOVES)
@blueprint.response(201, Change, headers=VERSIONED, example=EXAMPLES["make_move"])
@leads_to(201, "get_game", "list_legal_moves", "list_events", game_id="id")
def make_move(wish: MoveRequest, game_id: str) -> Response:
    """Make a move.

    The answer tells what happened, whom the game waits for now, and the state as the mover sees it.
    """
    return change(id_of(game_id), moving(wish["move"], wish.get("decision_id")))


@blueprint.route("/v1/games/<game_id>/preview", methods=["POST"], parameters=[game_id_parameter()])
@requires("games:play")
@refuses(*GUARDED, "invalid", "decision_closed", "game_not_running", "not_joined", *RULES)
@blueprint.arguments(MoveRequestSchema, examples=MOVES)
@blueprint.response(200, Preview, example=EXAMPLES["preview_move"])
def preview_move(wish: MoveRequest, game_id: str) -> Response:
    """Try a move out.

    Tells what it would do up to the next draw or the final scoring. Nothing happens.
    """
    account = str(caller().account_id)
    known = games().refresh(games().recall(id_of(game_id)))
    require_visible(known, account)
    _require_open(known.table, wish.get("decision_id"))
    try:
        events, chance = decide.foresee(known.table, account, wish["move"])
    except (RuleViolation, TableRefusal) as refused:
        raise problem_of(refused, known) from refused
    return _foreseen(known.table, account, events, chance=chance)


def moving(command: Command, decision_id: str | None) -> Decide:
    """Tell what a move makes of a game, while the decision that it names is open."""

    def move(known: Snapshot, account: str) -> list[AnyEvent]:
        _require_open(known.table, decision_id)
        return decide.move(known.table, account, command, known.draw, known.seed)

    return move


def _require_open(table: Table, decision_id: str | None) -> None:
    if decision_id is None or table.status is not Status.RUNNING:
        return
    if all(asked.decision_id != decision_id for asked in views.awaiting(table)):
        raise Problem("decision_closed", game_version=table.version)


def _foreseen(table: Table, account: str, events: list[Event], *, chance: bool) -> Response:
    """Show the events but for the scoring, which would tell the points of all others."""
    before_end = list(takewhile(lambda event: not isinstance(event, GameEnded), events))
    after = table.clone()
    for event in before_end:
        state.apply(after, event)
    preview = Preview(
        version=table.version,
        chance=chance,
        ends_game=len(before_end) < len(events),
        events=[ForeseenEvent(*encode_event(event)) for event in before_end],
        awaiting=views.awaiting(after),
        state=shown(after, table.seat_of(account)),
    )
    return answer(preview, 200).response()
