"""GET of lists: the public games, one's own games, and the turns that await one."""

from __future__ import annotations

from typing import NotRequired, TypedDict
from uuid import UUID

import msgspec
from flask import Response
from marshmallow import Schema, fields, validate
from redis import RedisError

from services.queries.caching import REVALIDATED, answer
from services.queries.examples import EXAMPLES
from services.queries.shelf import shelf
from shared.http.auth import caller, requires
from shared.http.blueprint import Blueprint, refuses
from shared.http.fields import CURSOR, NO_CURSOR, CursorField, QueryInt, StrictString
from shared.http.links import leads_to
from shared.http.problems import Problem
from shared.readmodel.documents import account_list, public_list, turn_list
from shared.readmodel.lists import ListsIncomplete
from shared.table.state import Status
from shared.views.summary import GameSummary, GameTurn

blueprint = Blueprint("lists", __name__, description="Games and turns, the newest game first.")

_MOST = 100


class PageSchema(Schema):
    limit = QueryInt(
        minimum=1,
        maximum=_MOST,
        load_default=20,
        metadata={"description": "So many items at most."},
    )


class TurnPageSchema(PageSchema):
    after = StrictString(
        maximum=60,
        pattern=r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\.[0-9]",
        must=NO_CURSOR,
        metadata={"description": CURSOR},
    )


class GamePageSchema(PageSchema):
    after = CursorField()
    status = fields.String(
        validate=validate.OneOf([str(status) for status in Status]),
        metadata={"description": "Only games of this status."},
    )


class TurnPageQuery(TypedDict):
    after: NotRequired[str]
    limit: int


class GamePageQuery(TypedDict):
    after: NotRequired[UUID]
    limit: int
    status: NotRequired[str]


class GameList(msgspec.Struct):
    """A page of games; `next` is the `after` of the next page, null on the last."""

    items: list[GameSummary]
    next: str | None


class TurnList(msgspec.Struct):
    """A page of decisions; `next` is the `after` of the next page, null on the last."""

    items: list[GameTurn]
    next: str | None


@blueprint.route("/v1/games")
@refuses("rate_limited", "unavailable")
@blueprint.arguments(GamePageSchema, location="query")
@blueprint.response(200, GameList, example=EXAMPLES["list_games"])
@leads_to(200, "get_game", "join_game", game_id="items/0/id")
@leads_to(200, "list_games", after="next")
def list_games(wish: GamePageQuery) -> Response:
    """List public games.

    Those that wait for players have the status `open`. Private games are in nobody's list but their
    members'.
    """
    return _page(public_list(wish.get("status")), wish)


@blueprint.route("/v1/me/games")
@requires("games:read")
@refuses("unauthorized", "missing_scope", "rate_limited", "unavailable")
@blueprint.arguments(GamePageSchema, location="query")
@blueprint.response(200, GameList, example=EXAMPLES["list_my_games"])
@leads_to(200, "get_game", game_id="items/0/id")
@leads_to(200, "list_my_games", after="next")
def list_my_games(wish: GamePageQuery) -> Response:
    """List one's games.

    Those the caller has opened or joined, private ones too.
    """
    return _page(account_list(str(caller().account_id), wish.get("status")), wish)


@blueprint.route("/v1/me/turns")
@requires("games:read")
@refuses("unauthorized", "missing_scope", "rate_limited", "unavailable")
@blueprint.arguments(TurnPageSchema, location="query")
@blueprint.response(200, TurnList, example=EXAMPLES["list_my_turns"])
@leads_to(200, "list_legal_moves", game_id="items/0/game_id")
@leads_to(200, "list_my_turns", after="next")
def list_my_turns(wish: TurnPageQuery) -> Response:
    """List the turns that await one.

    Each names the game, the seat and the decision.
    """
    return _page(turn_list(str(caller().account_id)), wish)


def _page(name: str, wish: TurnPageQuery | GamePageQuery) -> Response:
    """Answer a page as it lies in the read model; lists are nowhere else."""
    after = str(wish["after"]).lower() if "after" in wish else None
    try:
        page = shelf().lists.page(name, after, wish["limit"])
    except (ListsIncomplete, RedisError):
        raise Problem("unavailable", "Lists are being made anew.", headers=_SOON) from None
    following = msgspec.json.encode(page.next)
    items = b",".join(page.documents)
    return answer(b'{"items":[%b],"next":%b}' % (items, following), REVALIDATED)


_SOON = {"Retry-After": "1"}
