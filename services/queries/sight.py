"""What the present viewer sees of one game: from the read model in one round trip, or the log.

A game one may not see is refused like one that does not exist. No refusal is final before the head
of the log has been seen: a read model may not know yet of who has just joined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import structlog
from flask import g
from redis import RedisError
from redis.client import Pipeline

from services.queries.shelf import shelf
from shared.http.addresses import id_of
from shared.http.admission import prefetched
from shared.http.auth import viewer
from shared.http.problems import Problem
from shared.http.resources import resources
from shared.readmodel.documents import Access, access_of
from shared.readmodel.games import GameUnreadable, HeldGame
from shared.table.errors import GameNotRunning
from shared.table.state import Table
from shared.views.state import Viewer

_UNREADABLE = "The game cannot be read until the server is mended; nothing of it is lost."
_log = structlog.get_logger("sight")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of document of a game: where it is held for a seat, and how it is made."""

    field: Callable[[Viewer], str]
    make: Callable[[Table, Viewer], bytes]
    needs_seat: bool = False

    def ask(self, pipe: Pipeline, game_id: str) -> None:
        """Put the question for the viewer's document into the pipeline; for `prefetches`."""
        seat = shelf().guesses.seat(_token(), id_of(game_id))
        _ask(pipe, id_of(game_id), [] if self.withholds(seat) else [self.field(seat)])

    def withholds(self, seat: Viewer) -> bool:
        """Whether there is no such document for this viewer."""
        return self.needs_seat and seat is None


@dataclass(frozen=True, slots=True)
class Sight:
    """A document of one version, and whose view it is."""

    version: int
    seat: Viewer
    document: bytes


def look(kind: Kind, game_id: UUID, at_least: int = 0) -> Sight:
    """Show the newest version there is; one below `at_least` is refused as not reached."""
    held, account = _held(), account_id()
    if sight := ready(kind, held, account, at_least):
        return sight
    if held is None or held.version < at_least or not held.access.may_be_seen_by(account):
        return _from_log(kind, game_id, at_least)
    seat = held.access.seat_of(account)
    if kind.withholds(seat):
        return _from_log(kind, game_id, at_least)
    shelf().guesses.learn(_token(), game_id, seat)
    return _ask_again(kind, game_id, seat, at_least) or _from_log(kind, game_id, at_least)


def ready(kind: Kind, held: HeldGame | None, account: str | None, at_least: int) -> Sight | None:
    """Take the viewer's document out of what was read, if it is there and new enough."""
    if held is None or held.version < at_least or not held.access.may_be_seen_by(account):
        return None
    seat = held.access.seat_of(account)
    document = None if kind.withholds(seat) else held.documents.get(kind.field(seat))
    return None if document is None else Sight(held.version, seat, document)


def ask_access(pipe: Pipeline, game_id: str) -> None:
    """Put the question who may see the game into the pipeline; for `prefetches`."""
    _ask(pipe, id_of(game_id), [])


def access_to(game_id: UUID) -> Access:
    """Say who may see the game, if the viewer may."""
    held = _held()
    if held is None or not held.access.may_be_seen_by(account_id()):
        return access_of(visible_table(game_id))
    return held.access


def visible_table(game_id: UUID, at_least: int = 0) -> Table:
    """Give the game at the head of its log, which must not be changed."""
    try:
        table = shelf().games.catch_up(game_id, at_least)
    except GameUnreadable:
        _log.exception("game unreadable", game_id=str(game_id))
        raise Problem("unavailable", _UNREADABLE, headers={"Retry-After": "60"}) from None
    if table is None or not table.may_be_seen_by(account_id()):
        raise Problem("not_found")
    if table.version < at_least:
        raise Problem("version_not_reached", game_version=table.version)
    return table


def account_id() -> str | None:
    """Name the viewer's account as tables do."""
    account = viewer()
    return None if account is None else str(account.account_id)


def _ask(pipe: Pipeline, game_id: UUID, fields: list[str]) -> None:
    shelf().games.ask(pipe, game_id, fields)
    g.asked = fields


def _held() -> HeldGame | None:
    rows = prefetched()
    return shelf().games.answer(rows[0], g.asked) if rows else None


def _ask_again(kind: Kind, game_id: UUID, seat: Viewer, at_least: int) -> Sight | None:
    """Ask for what the guess missed."""
    field = kind.field(seat)
    try:
        with resources().redis.pipeline(transaction=False) as pipe:
            shelf().games.ask(pipe, game_id, [field])
            [row] = pipe.execute()
    except RedisError:
        return None
    held = shelf().games.answer(row, [field])
    if held is None or field not in held.documents or held.version < at_least:
        return None
    return Sight(held.version, seat, held.documents[field])


def _from_log(kind: Kind, game_id: UUID, at_least: int) -> Sight:
    table = visible_table(game_id, at_least)
    seat = table.seat_of(account_id())
    if kind.withholds(seat):
        raise Problem("not_seated") if table.seats else GameNotRunning
    return Sight(table.version, seat, kind.make(table, seat))


def _token() -> bytes | None:
    return g.token.digest if g.token else None
