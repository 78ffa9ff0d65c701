"""GET /v1/games/{game_id}/events and /invitation."""

from __future__ import annotations

import hashlib
import json
from uuid import uuid4

import pytest
from flask.testing import FlaskClient

from tests.services.queries.conftest import Archive, get, ok, problem, same_refusal
from tests.tables import Play


@pytest.fixture
def play(archive: Archive) -> Play:
    return Play(3).start().moves(20).store(archive.store)


def path(play: Play, query: str = "") -> str:
    return f"/v1/games/{play.game_id}/events{query}"


def test_the_trail_is_read_page_by_page_and_proves_itself(queries: FlaskClient, play: Play) -> None:
    items, after = [], 0
    while after is not None:
        page = ok(get(queries, path(play, f"?after={after}&limit=7")))
        items += page["items"]
        after = page["next"]
    assert [item["version"] for item in items] == list(range(1, play.table.version + 1))
    head = bytes(32)
    for item in items:
        head = hashlib.sha256(head + item["record"].encode()).digest()
        assert item["hash"] == head.hex()
    assert head.hex() == play.table.head_hash
    assert items[0]["actor"] == str(play.accounts[0])


def test_a_full_page_may_be_kept_for_ever_and_the_last_one_not(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    last = play.table.version
    full = get(queries, path(play, f"?limit={last - 1}"))
    assert full.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for query in (f"?limit={last}", f"?after={last}", f"?after={last + 99}"):
        answer = get(queries, path(play, query))
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert ok(answer)["next"] is None
    secret = Play(3, visibility="private").store(archive.store)
    who = archive.sign_in(secret.accounts[0])
    full = get(queries, path(secret, "?limit=2"), who)
    assert full.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert full.headers["Vary"] == "Authorization"


def test_after_the_head_there_is_nothing_until_something_happens(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    after = f"?after={play.table.version}"
    assert ok(get(queries, path(play, after))) == {"items": [], "next": None}
    play.moves(1).store(archive.store)
    assert ok(get(queries, path(play, after)))["items"]


def test_events_are_whole_for_watchers_too(queries: FlaskClient, archive: Archive) -> None:
    play = Play(3).start().moves(10_000).store(archive.store)
    items = ok(get(queries, path(play, "?limit=500")))["items"]
    kinds = {item["type"] for item in items}
    assert {"goods_loaded", "points_gained", "game_created"} <= kinds
    assert all(item["body"] == json.loads(item["record"])["body"] for item in items)


@pytest.mark.parametrize("query", ["?limit=0", "?limit=501", "?after=-1", "?after=1e3", "?x=1"])
def test_a_query_that_does_not_fit_is_refused(queries: FlaskClient, play: Play, query: str) -> None:
    assert problem(get(queries, path(play, query))) == (422, "invalid")


def test_a_private_games_events_and_code_are_its_members(
    queries: FlaskClient, archive: Archive
) -> None:
    play = Play(3, visibility="private").store(archive.store, invitation_code="come-in")
    member, stranger = archive.sign_in(play.accounts[1]), archive.sign_in()
    for part in ("events", "invitation"):
        for _ in range(2):
            answer = get(queries, f"/v1/games/{play.game_id}/{part}", stranger)
            missing = get(queries, f"/v1/games/{uuid4()}/{part}", stranger)
            assert same_refusal(answer, missing)
            assert answer.status_code == 404
    assert len(ok(get(queries, path(play), member))["items"]) == 4
    invitation = get(queries, f"/v1/games/{play.game_id}/invitation", member)
    assert ok(invitation) == {"code": "come-in"}
    assert invitation.headers["Cache-Control"] == "no-store"


def test_a_public_game_has_no_code(queries: FlaskClient, archive: Archive, play: Play) -> None:
    where = f"/v1/games/{play.game_id}/invitation"
    assert problem(get(queries, where)) == (401, "unauthorized")
    assert problem(get(queries, where, archive.sign_in(play.accounts[0]))) == (404, "not_found")


def test_without_redis_the_trail_is_the_same(
    queries: FlaskClient, unlimited: FlaskClient, play: Play
) -> None:
    assert get(unlimited, path(play)).data == get(queries, path(play)).data
