"""The life of a game around the play: opening it, joining, leaving, starting and aborting."""

from __future__ import annotations

import secrets

from flask import Response

from services.commands.answers import Change
from services.commands.desk import change, store_new
from services.commands.examples import EXAMPLES
from services.commands.game_schemas import CreateGameSchema, JoinGameSchema, Joining, NewGame
from services.commands.games import Snapshot
from services.commands.operations import (
    CHANGED,
    OPENED,
    STORED,
    VERSIONED,
    changes_game,
    stores_once,
)
from services.commands.seating import as_creator, seatable
from shared.engine import RuleViolation
from shared.http.addresses import game_id_parameter, id_of
from shared.http.auth import caller
from shared.http.blueprint import Blueprint, refuses
from shared.http.links import leads_to
from shared.http.refusals import refusal
from shared.ids import uuid7
from shared.table import decide
from shared.table.chance import SEED_BYTES, commitment
from shared.table.decide import AnyEvent
from shared.table.errors import AlreadyJoined
from shared.table.events import PlayerJoined

blueprint = Blueprint("games", __name__, description="Games: opening, joining, starting, playing.")

_CODE_BYTES = 12
IN_GAME = (
    *("get_game", "list_legal_moves", "list_events"),
    *("start_game", "make_move", "preview_move", "abort_game"),
)
"""What there is to do in a game."""


@blueprint.route("/v1/games", methods=["POST"])
@stores_once
@refuses(
    *STORED,
    "invalid",
    "building_set_not_allowed",
    "option_not_allowed",
    "bot_unavailable",
    "already_joined",
)
@blueprint.arguments(
    CreateGameSchema,
    example={"visibility": "private", "options": {"buildings": "random"}, "nonce": "c0ffee"},
)
@blueprint.response(201, Change, headers=OPENED, example=EXAMPLES["create_game"])
@leads_to(201, "leave_game", "get_invitation", *IN_GAME, game_id="id")
@leads_to(201, "join_game", game_id="id", sends={"code": "invitation_code"})
def create_game(wish: NewGame) -> Response:
    """Open a game.

    Its creator is the first to have a seat, and may leave it and still start the game. The answer
    for a private game holds the code that others join it with.
    """
    game_id, account, seed = uuid7(), str(caller().account_id), secrets.token_bytes(SEED_BYTES)
    bots = [seatable(bot, f"/bots/{index}") for index, bot in enumerate(wish["bots"])]
    if len({account, *bots}) <= len(bots):
        raise refusal(AlreadyJoined(), pointer="/bots")
    try:
        opened = decide.create(
            str(game_id), account, wish["visibility"], wish["options"], commitment(seed)
        )
    except RuleViolation as violation:
        raise refusal(violation, pointer="/options") from None
    events = [
        *opened,
        PlayerJoined(account, wish["nonce"]),
        *(PlayerJoined(bot, "") for bot in bots),
    ]
    private = wish["visibility"] == "private"
    code = secrets.token_urlsafe(_CODE_BYTES) if private else None
    return store_new(game_id, events, seed, code)


@blueprint.route("/v1/games/<game_id>/players", methods=["POST"], parameters=[game_id_parameter()])
@changes_game
@refuses(
    *CHANGED,
    "invalid",
    "game_not_open",
    "already_joined",
    "game_full",
    "not_the_creator",
    "bot_unavailable",
)
@blueprint.arguments(JoinGameSchema, example={"nonce": "5eed", "code": "6bQ3vJr1mXb0cZ9k"})
@blueprint.response(201, Change, headers=VERSIONED, example=EXAMPLES["join_game"])
@leads_to(201, "leave_game", *IN_GAME, game_id="id")
def join_game(wish: Joining, game_id: str) -> Response:
    """Join a game.

    A private game asks for its code; with a wrong one it is as if there were no such game. With
    `bot` it is this bot that joins, as the game's creator wishes.
    """

    def join(known: Snapshot, account: str) -> list[AnyEvent]:
        if wish["bot"] is None:
            return decide.join(known.table, account, wish["nonce"])
        creator = as_creator(known.table, account)
        return decide.seat_bot(known.table, creator, seatable(wish["bot"], "/bot"), wish["nonce"])

    return change(id_of(game_id), join, code=wish["code"])


@blueprint.route(
    "/v1/games/<game_id>/players/me", methods=["DELETE"], parameters=[game_id_parameter()]
)
@changes_game
@refuses(*CHANGED, "game_not_open", "not_joined")
@blueprint.response(200, Change, headers=VERSIONED, example=EXAMPLES["leave_game"])
def leave_game(game_id: str) -> Response:
    """Leave a game.

    Before it has started. A creator who leaves may still start or abort it.
    """
    return change(
        id_of(game_id),
        lambda known, account: decide.leave(known.table, account),
        status=200,
    )


@blueprint.route("/v1/games/<game_id>/start", methods=["POST"], parameters=[game_id_parameter()])
@changes_game
@refuses(
    *CHANGED,
    "not_the_creator",
    "game_not_open",
    "too_few_players",
    "option_not_allowed",
    "building_set_not_allowed",
)
@blueprint.response(201, Change, headers=VERSIONED, example=EXAMPLES["start_game"])
@leads_to(201, *IN_GAME, game_id="id")
def start_game(game_id: str) -> Response:
    """Start a game.

    By its creator, once 2 to 5 players have joined; by any of them if the creator's account is
    erased. They are seated and the board is set up.
    """
    return change(
        id_of(game_id),
        lambda known, account: decide.start(
            known.table, as_creator(known.table, account), known.draw
        ),
    )


@blueprint.route("/v1/games/<game_id>/abort", methods=["POST"], parameters=[game_id_parameter()])
@changes_game
@refuses(*CHANGED, "not_the_creator", "game_not_running")
@blueprint.response(201, Change, headers=VERSIONED, example=EXAMPLES["abort_game"])
def abort_game(game_id: str) -> Response:
    """Abort a game.

    By its creator, before or while it is played; by any player if the creator's account is erased.
    Nobody wins; the seed of its draws is revealed.
    """
    return change(
        id_of(game_id),
        lambda known, account: decide.abort(
            known.table, as_creator(known.table, account), known.seed
        ),
    )
