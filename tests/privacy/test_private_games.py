"""Whoever is not in a private game is told about it what he is told about no game at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from shared.http.routes import API
from shared.ids import uuid7
from shared.table import decide
from tests.privacy.conftest import Headers, Origin, bearer, told
from tests.services.queries.conftest import Archive
from tests.tables import Play

CODE = "the-code-to-join-with"
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
PATHS = [path for path in API if "{game_id}" in path]
MOVE = {"move": {"type": "choose_role", "role": "settler"}}
BODIES: list[object] = [
    None,
    {},
    [],
    {"unknown": 1},
    {"nonce": "n", "code": "a-wrong-code"},
    MOVE,
    {**MOVE, "decision_id": "0.1"},
    {"move": {"type": "choose_role", "role": "nobody"}},
    {"bot": "01a22bac-0000-7000-8000-000000000009"},
]
HEADERS: list[dict[str, str]] = [
    {},
    {"If_Match": '"1.w.1"'},
    {"If_Match": '"9999.0.1"'},
    {"If_Match": "*"},
    {"If_None_Match": '"1.w.1"'},
    {"If_None_Match": "*"},
    {"Idempotency_Key": "key"},
    {"Idempotency_Key": "no key"},
    {"Content_Type": "text/plain"},
]
QUERIES = [
    *("", "?at=1", "?at=9999", "?at=x", "?min_version=1", "?min_version=9999", "?min_version=x"),
    *("?after=0", "?after=9999", "?limit=1", "?unknown=1"),
]


Request = tuple[str, str, object, dict[str, str]]


def plain(path: str) -> Iterator[Request]:
    """A request of each method, allowed or not."""
    for method in METHODS:
        yield method, path, None, {}
    for method in set(API[path]) & {"POST", "DELETE"}:
        yield method, path, {}, {}


def odd(path: str) -> Iterator[Request]:
    """Requests with every query, body and header that might be answered before the game is."""
    for method in API[path]:
        for headers in HEADERS:
            yield method, path, None if method == "GET" else MOVE, headers
        if method == "GET":
            yield from ((method, path + query, None, {}) for query in QUERIES)
        else:
            yield from ((method, path, body, {}) for body in BODIES)


def open_game(play: Play) -> None:
    """Nobody has started it."""


def running_game(play: Play) -> None:
    play.start().moves(5)


def finished_game(play: Play) -> None:
    play.start().moves(10_000)


@pytest.fixture(params=[open_game, running_game, finished_game])
def play(request: pytest.FixtureRequest, archive: Archive) -> Play:
    """A private game that the last of its accounts has joined and left."""
    play = Play(4, visibility="private")
    last = play.accounts[-1]
    play.record(decide.leave(play.table, str(last)), last)
    reach: Callable[[Play], None] = request.param
    reach(play)
    return play.store(archive.store, CODE)


def strangers(archive: Archive, play: Play) -> list[Headers]:
    """Somebody, and who has left."""
    return [archive.sign_in(), archive.sign_in(play.accounts[-1])]


def differing(
    origin: Origin, play: Play, who: Headers, requests: Iterable[Request]
) -> list[object]:
    """The requests that are answered otherwise for the game than for an id that there is not."""
    found: list[object] = []
    for method, path, body, headers in requests:
        addresses = (
            path.replace("{game_id}", str(game_id)).replace("{account_id}", str(play.accounts[1]))
            for game_id in (play.game_id, uuid7())
        )
        real, none = (told(origin.ask(method, place, who, body, **headers)) for place in addresses)
        if real != none:
            found.append((method, path, body, headers, real, none))
    return found


def test_a_private_game_is_like_no_game(
    origin: Origin, archive: Archive, play: Play, project: Callable[[], None]
) -> None:
    project()
    for path in PATHS:
        for who in strangers(archive, play):
            assert not differing(origin, play, who, (*plain(path), *odd(path)))
        for who in ({}, archive.sign_in(scopes=("account",)), bearer("pr_" + "x" * 43)):
            assert not differing(origin, play, who, plain(path))


def test_a_private_game_that_is_in_no_read_model_is_like_no_game(
    origin: Origin, archive: Archive, play: Play
) -> None:
    for path in PATHS:
        for who in strangers(archive, play):
            assert not differing(origin, play, who, plain(path))


@pytest.mark.parametrize("play", [running_game], indirect=True)
def test_a_member_is_told_otherwise(origin: Origin, archive: Archive, play: Play) -> None:
    member = archive.sign_in(play.accounts[0])
    told_otherwise = {
        path for path in PATHS if differing(origin, play, member, (*plain(path), *odd(path)))
    }
    assert told_otherwise == set(PATHS)


def test_no_list_shows_a_private_game_to_a_stranger(
    origin: Origin, archive: Archive, play: Play, project: Callable[[], None]
) -> None:
    project()
    member = archive.sign_in(play.accounts[0])
    assert str(play.game_id) in origin.ask("GET", "/v1/me/games", member).text
    for who in ({}, *strangers(archive, play)):
        for path in ("/v1/games", "/v1/me/games", "/v1/me/turns"):
            for query in ("", f"?after={play.game_id}", f"?status={play.table.status}"):
                answer = origin.ask("GET", path + query, who)
                assert str(play.game_id) not in answer.text, path + query


def test_a_private_games_code_lets_one_in_and_shows_nothing_before(
    origin: Origin, archive: Archive
) -> None:
    play = Play(2, visibility="private").store(archive.store, CODE)
    path, who = f"/v1/games/{play.game_id}", archive.sign_in()
    assert origin.ask("GET", f"{path}?code={CODE}", who).status_code == 422
    assert origin.ask("GET", path, who).status_code == 404
    assert origin.ask("POST", f"{path}/players", who, {"code": CODE}).status_code == 201
    assert origin.ask("GET", path, who).status_code == 200
