"""Seats given to bots: taken back in an open game, and given away in a running one."""

from __future__ import annotations

from typing import NotRequired, TypedDict
from uuid import UUID

from flask import Response
from marshmallow import Schema, fields

from services.commands.account_store import AccountStore
from services.commands.answers import Change
from services.commands.desk import change
from services.commands.examples import EXAMPLES
from services.commands.games import Snapshot
from services.commands.operations import CHANGED, VERSIONED, changes_game
from shared.http.addresses import game_id_parameter, id_of, id_parameter
from shared.http.blueprint import Blueprint, refuses
from shared.http.problems import Problem
from shared.http.resources import resources
from shared.table import decide
from shared.table.decide import AnyEvent
from shared.table.errors import NotJoined
from shared.table.state import Table

blueprint = Blueprint("bots", __name__, description="Bots: who takes seats, and giving them some.")


class SubstituteSchema(Schema):
    bot = fields.UUID(
        required=True, metadata={"description": "Its account id, one of `GET /v1/bots`."}
    )
    account = fields.UUID(
        metadata={"description": "Whose seat it is, if not one's own: an account that is erased."}
    )


class Substitute(TypedDict):
    bot: UUID
    account: NotRequired[UUID]


@blueprint.route(
    "/v1/games/<game_id>/players/<account_id>",
    methods=["DELETE"],
    parameters=[game_id_parameter(), id_parameter("account_id", "The bot's account id.")],
)
@changes_game
@refuses(*CHANGED, "not_the_creator", "not_a_bot", "game_not_open", "not_joined")
@blueprint.response(200, Change, headers=VERSIONED, example=EXAMPLES["take_bot_out"])
def take_bot_out(game_id: str, account_id: str) -> Response:
    """Take a bot out.

    Or an account that is erased. By the game's creator, before it has started.
    """
    bot = id_of(account_id)

    def take_out(known: Snapshot, account: str) -> list[AnyEvent]:
        events = decide.take_out(known.table, as_creator(known.table, account), str(bot))
        _require_removable(bot)
        return events

    return change(id_of(game_id), take_out, status=200)


@blueprint.route(
    "/v1/games/<game_id>/substitute", methods=["POST"], parameters=[game_id_parameter()]
)
@changes_game
@refuses(
    *(*CHANGED, "invalid", "game_not_running", "not_joined", "seat_in_use"),
    *("already_joined", "bot_unavailable"),
)
@blueprint.arguments(SubstituteSchema, example={"bot": "01a22bac-0000-7000-8000-000000000009"})
@blueprint.response(201, Change, headers=VERSIONED, example=EXAMPLES["substitute"])
def substitute(wish: Substitute, game_id: str) -> Response:
    """Give one's seat to a bot.

    While the game is running, and for good. Who has done so may still watch, a private game too.
    Any player may give away that of an account which is erased.
    """

    def give(known: Snapshot, account: str) -> list[AnyEvent]:
        owner = str(wish.get("account", account))
        events = decide.give_seat(known.table, owner, seatable(wish["bot"], "/bot"))
        if owner != account:
            _require_abandoned(known.table, account, owner)
        return events

    return change(id_of(game_id), give)


def _require_abandoned(table: Table, player: str, owner: str) -> None:
    """Let a player act for another one only where nobody else can."""
    if table.seat_of(player) is None:
        raise NotJoined
    if not AccountStore(resources().pool).is_abandoned(UUID(owner)):
        raise Problem("seat_in_use")


def as_creator(table: Table, account: str) -> str:
    """Name the creator for whoever has his rights: all who play, once nobody acts for him any more.

    Or a game that he has opened and left for good could neither begin nor end.
    """
    plays = account in table.seats or any(member.account == account for member in table.members)
    if account == table.creator or not plays:
        return account
    accounts = AccountStore(resources().pool)
    return table.creator if accounts.is_abandoned(UUID(table.creator)) else account


def seatable(account_id: UUID, pointer: str) -> str:
    """Name an account as tables do, or refuse it if it is no bot that takes seats.

    The pointer says where the request names it.
    """
    found = AccountStore(resources().pool).find(account_id)
    if found is None or not found.accepts_seats:
        detail = f"{account_id} is no bot that takes seats."
        raise Problem("bot_unavailable", detail, errors=[{"detail": detail, "pointer": pointer}])
    return str(account_id)


def _require_removable(account_id: UUID) -> None:
    accounts = AccountStore(resources().pool)
    found = accounts.find(account_id)
    if found is None or (found.kind != "bot" and not accounts.is_abandoned(account_id)):
        raise Problem("not_a_bot")
