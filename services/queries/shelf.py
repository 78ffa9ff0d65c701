"""What only this service's views reach for: the read models, and guesses that save a round trip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast
from uuid import UUID

from flask import Flask, current_app

from shared.http.resources import resources_of
from shared.readmodel.games import GameReader
from shared.readmodel.lists import ListReader
from shared.views.state import Viewer

_EXTENSION = "puertorico_queries"
_MOST_GUESSES = 50_000


@dataclass(frozen=True, slots=True)
class Guesses:
    """Who was last seen behind a token in a game.

    A read is asked for before its token is looked up, in the same round trip, so the seat can only
    be guessed. What comes back says who really has it: a wrong guess costs a second question.
    """

    _seats: dict[tuple[bytes, UUID], Viewer] = field(default_factory=dict)

    def seat(self, token: bytes | None, game_id: UUID) -> Viewer:
        return None if token is None else self._seats.get((token, game_id))

    def learn(self, token: bytes | None, game_id: UUID, seat: Viewer) -> None:
        if token is None:
            return
        if len(self._seats) >= _MOST_GUESSES:
            self._seats.clear()
        self._seats[token, game_id] = seat


@dataclass(frozen=True, slots=True)
class Shelf:
    games: GameReader
    lists: ListReader
    guesses: Guesses


def install(app: Flask) -> None:
    found = resources_of(app)
    app.extensions[_EXTENSION] = Shelf(
        GameReader(found.redis, found.store), ListReader(found.redis, found.store), Guesses()
    )


def shelf() -> Shelf:
    """Return that of the app that answers the present request."""
    return shelf_of(current_app)


def shelf_of(app: Flask) -> Shelf:
    return cast(Shelf, app.extensions[_EXTENSION])
