"""GET of one game: its state, its legal moves, its events, its invitation."""

from __future__ import annotations

from typing import NotRequired, TypedDict

import msgspec
from flask import Response
from marshmallow import Schema

from services.queries.caching import ETAG, REVALIDATED, answer, for_ever, revalidates
from services.queries.examples import EXAMPLES
from services.queries.sight import (
    Kind,
    access_to,
    account_id,
    ask_access,
    look,
    visible_table,
)
from shared.eventstore.fold import fold
from shared.http.addresses import game_id_parameter, id_of
from shared.http.admission import prefetches
from shared.http.auth import identifies, requires
from shared.http.blueprint import Blueprint, refuses
from shared.http.fields import QueryInt
from shared.http.links import GAME, leads_to
from shared.http.problems import Problem
from shared.http.resources import resources
from shared.http.versions import etag
from shared.readmodel.documents import document_field, legal_field
from shared.table.state import Status, Table
from shared.views.audit import AuditItem, audit_item
from shared.views.legal import LegalMoves, legal_document
from shared.views.state import State, Viewer, state_document

blueprint = Blueprint("games", __name__, description="Games: opening, joining, starting, playing.")

_SEEN = ("unauthorized", "missing_scope", "not_found", "rate_limited", "unavailable")
_MOST_EVENTS = 500


class MinVersionSchema(Schema):
    min_version = QueryInt(
        load_default=0,
        metadata={
            "description": "Show this version or a newer one: the one that a move was answered "
            "with, so as to read what one has written."
        },
    )


class StateQuerySchema(MinVersionSchema):
    at = QueryInt(
        minimum=1, metadata={"description": "Show the game as it was at this version instead."}
    )


class EventQuerySchema(Schema):
    after = QueryInt(load_default=0, metadata={"description": "Show events after this version."})
    limit = QueryInt(
        minimum=1,
        maximum=_MOST_EVENTS,
        load_default=100,
        metadata={"description": "So many events at most."},
    )


class MinVersion(TypedDict):
    min_version: int


class StateQuery(MinVersion):
    at: NotRequired[int]


class EventQuery(TypedDict):
    after: int
    limit: int


class EventList(msgspec.Struct):
    """A part of the audit trail; `next` is the `after` of the next part, null at the head."""

    items: list[AuditItem]
    next: int | None


class Invitation(msgspec.Struct):
    """What others join a private game with."""

    code: str


def _legal_field(seat: Viewer) -> str:
    assert seat is not None
    return legal_field(seat)


def _legal_moves(table: Table, seat: Viewer) -> bytes:
    assert seat is not None
    return legal_document(table, seat)


STATE = Kind(document_field, state_document)
LEGAL_MOVES = Kind(_legal_field, _legal_moves, needs_seat=True)


@blueprint.route("/v1/games/<game_id>", parameters=[game_id_parameter()])
@identifies("games:read")
@prefetches(STATE.ask)
@revalidates
@refuses(*_SEEN, "version_not_reached")
@blueprint.arguments(StateQuerySchema, location="query")
@blueprint.response(200, State, headers=ETAG, example=EXAMPLES["get_game"])
@leads_to(200, "list_legal_moves", "list_events", game_id="id")
@leads_to(200, "list_accounts", ids="seats/0")
def get_game(wish: StateQuery, game_id: str) -> Response:
    """Show a game.

    As the caller's seat sees it, or a watcher. While a game with hidden points is played, the
    totals of others are null.
    """
    if (at := wish.get("at")) is not None:
        return _state_at(game_id, at)
    seen = look(STATE, id_of(game_id), wish["min_version"])
    return answer(seen.document, REVALIDATED, etag(seen.version, seen.seat))


def _state_at(game_id: str, version: int) -> Response:
    """Answer a past state: what the viewer saw then, so hidden totals stay hidden."""
    table = visible_table(id_of(game_id), version)
    past = fold(resources().store.read(id_of(game_id), limit=version))
    assert past is not None
    seat = past.seat_of(account_id())
    is_over = table.status in (Status.FINISHED, Status.ABORTED)
    shared = table.visibility == "public" and seat is None
    keep = for_ever(shared=shared) if is_over else REVALIDATED
    return answer(state_document(past, seat), keep, etag(version, seat))


@blueprint.route("/v1/games/<game_id>/legal-moves", parameters=[game_id_parameter()])
@requires("games:read")
@prefetches(LEGAL_MOVES.ask)
@revalidates
@refuses(*_SEEN, "not_seated", "game_not_running", "version_not_reached")
@blueprint.arguments(MinVersionSchema, location="query")
@blueprint.response(200, LegalMoves, headers=ETAG, example=EXAMPLES["list_legal_moves"])
@leads_to(200, "make_move", "preview_move", game_id=GAME, sends={"move": "moves/0"})
def list_legal_moves(wish: MinVersion, game_id: str) -> Response:
    """List one's legal moves.

    Those of the caller's seat; none while the game waits for others. Each can be sent as the `move`
    of a move.
    """
    seen = look(LEGAL_MOVES, id_of(game_id), wish["min_version"])
    return answer(seen.document, REVALIDATED, etag(seen.version, seen.seat))


@blueprint.route("/v1/games/<game_id>/events", parameters=[game_id_parameter()])
@identifies("games:read")
@prefetches(ask_access)
@refuses(*_SEEN)
@blueprint.arguments(EventQuerySchema, location="query")
@blueprint.response(200, EventList, example=EXAMPLES["list_events"])
@leads_to(200, "list_events", game_id=GAME, after="next")
def list_events(wish: EventQuery, game_id: str) -> Response:
    """List a game's events.

    The audit trail: what happened, who did it, when and why, and the chain of hashes that proves
    it. Events are whole for everybody who may see the game.
    """
    shared = access_to(id_of(game_id)).public
    after, limit = wish["after"], wish["limit"]
    records = resources().store.read(id_of(game_id), after, limit + 1)
    page = [audit_item(record.text, record.hash) for record in records[:limit]]
    is_full = len(records) > limit
    document = EventList(page, page[-1].version if is_full else None)
    keep = for_ever(shared=shared) if is_full else REVALIDATED
    return answer(msgspec.json.encode(document), keep)


@blueprint.route("/v1/games/<game_id>/invitation", parameters=[game_id_parameter()])
@requires("games:read")
@prefetches(ask_access)
@refuses(*_SEEN)
@blueprint.response(200, Invitation, example=EXAMPLES["get_invitation"])
@leads_to(200, "join_game", game_id=GAME, sends={"code": "code"})
def get_invitation(game_id: str) -> Response:
    """Show a private game's code.

    To its members, for others to join with.
    """
    access_to(id_of(game_id))
    code = resources().store.invitation(id_of(game_id))
    if code is None:
        raise Problem("not_found")
    return answer(msgspec.json.encode(Invitation(code)), "no-store")
