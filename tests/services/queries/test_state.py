"""GET /v1/games/{game_id}: whose view, from where, how fresh, and what may be kept."""

from __future__ import annotations

import random
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from flask.testing import FlaskClient
from redis import Redis

from shared.config import Settings
from shared.eventstore.store import EventStore
from shared.ids import uuid7
from shared.table.decide import join
from shared.views.state import state_document
from tests.services.projector.games import append_unknown
from tests.services.queries.conftest import Archive, get, ok, problem, same_refusal
from tests.tables import Play


@pytest.fixture
def play(archive: Archive) -> Play:
    return Play(3, rng=random.Random(1)).start().moves(40).store(archive.store)


@pytest.fixture
def secret(archive: Archive) -> Play:
    return Play(3, visibility="private").start().moves(5).store(archive.store)


@pytest.fixture
def redis(settings: Settings) -> Iterator[Redis]:
    with Redis.from_url(settings.redis_url) as redis:
        yield redis


def path(play: Play, query: str = "") -> str:
    return f"/v1/games/{play.game_id}{query}"


def test_each_seat_and_a_watcher_are_shown_their_own_document(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    viewers = [None, *archive.players(play)]
    for _ in ("from the log", "from the read model", "with the seat known"):
        for seat, who in enumerate(viewers, start=-1):
            viewer = None if who is None else seat
            answer = get(queries, path(play), who)
            assert answer.data == state_document(play.table, viewer)
            assert answer.headers["ETag"].startswith(
                f'"{play.table.version}.{"w" if viewer is None else viewer}.'
            )


def test_a_seat_that_was_known_by_another_token_is_not_shown_to_this_one(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    stranger = archive.sign_in()
    first, *_ = archive.players(play)
    for who, viewer in ((first, 0), (stranger, None), (None, None), (first, 0), (stranger, None)):
        assert get(queries, path(play), who).data == state_document(play.table, viewer)


def test_a_read_is_one_round_trip_to_redis(
    queries: FlaskClient, archive: Archive, play: Play, redis: Redis
) -> None:
    for who in (None, archive.players(play)[0]):
        counts = []
        for _ in range(6):
            before = redis.info("stats")
            get(queries, path(play), who)
            reads = redis.info("stats")["total_reads_processed"] - before["total_reads_processed"]
            counts.append(reads - 1)  # this test's own
        assert sorted(counts)[1] == 1  # once a second the live generation is asked for


def test_what_was_seen_before_the_start_is_forgotten_when_one_has_a_seat(
    queries: FlaskClient, archive: Archive
) -> None:
    play = Play(3).store(archive.store)
    who = archive.sign_in(play.accounts[0])
    assert "round" not in ok(get(queries, path(play), who))
    play.start().store(archive.store)
    seat = play.table.seat_of(str(play.accounts[0]))
    shown = get(queries, path(play, f"?min_version={play.table.version}"), who)
    assert shown.data == state_document(play.table, seat)
    assert get(queries, path(play), who).data == shown.data


def test_a_private_game_is_shown_to_its_members_and_missing_for_all_others(
    queries: FlaskClient, archive: Archive, secret: Play
) -> None:
    member, *_ = archive.players(secret)
    missing = f"/v1/games/{uuid4()}"
    for _ in range(2):
        for query in ("", "?at=1", "?min_version=1", "?min_version=999999", "?at=999999"):
            for who in (None, archive.sign_in()):
                answer = get(queries, path(secret, query), who)
                assert same_refusal(answer, get(queries, missing + query, who))
                assert answer.status_code == 404
        assert get(queries, path(secret), member).status_code == 200


def test_who_has_just_joined_a_private_game_sees_it_at_once(
    queries: FlaskClient, archive: Archive
) -> None:
    play = Play(2, visibility="private").store(archive.store)
    newcomer = uuid7()
    who = archive.sign_in(newcomer)
    assert get(queries, path(play), who).status_code == 404
    play.record(join(play.table, str(newcomer), ""), newcomer)
    play.store(archive.store)
    for part in ("/events", ""):
        assert get(queries, path(play, part), who).status_code == 200
    play.start().store(archive.store)
    assert get(queries, path(play, "/legal-moves"), who).status_code == 200


def test_an_address_that_is_no_id_names_nothing(queries: FlaskClient) -> None:
    for name in ("7", "x" * 300, str(uuid4()).upper(), "%00", "{game_id}"):
        assert get(queries, f"/v1/games/{name}").status_code == 404


def test_who_has_the_document_is_not_sent_it_again(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    who, other, _ = archive.players(play)
    answer = get(queries, path(play), who)
    tag = answer.headers["ETag"]
    for sent in (tag, f'"old", W/{tag}', "*"):
        again = get(queries, path(play), who, If_None_Match=sent)
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == tag
        assert again.headers["Vary"] == answer.headers["Vary"] == "Authorization"
        assert again.headers["Cache-Control"] == "private, no-cache"
    assert get(queries, path(play), other, If_None_Match=tag).status_code == 200
    version = play.moves(1).store(archive.store).table.version
    moved = get(queries, path(play, f"?min_version={version}"), who, If_None_Match=tag)
    assert moved.status_code == 200


def test_head_is_get_without_the_document(queries: FlaskClient, play: Play) -> None:
    answer, head = get(queries, path(play)), queries.head(path(play))
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == answer.headers["ETag"]
    assert head.headers["Content-Length"] == str(len(answer.data))


def test_a_read_sees_at_least_the_version_it_names_at_once(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    get(queries, path(play))  # what is held now will be behind
    for _ in range(3):
        play.moves(1).store(archive.store)
        answer = get(queries, path(play, f"?min_version={play.table.version}"))
        assert answer.data == state_document(play.table, None)
        assert get(queries, path(play)).data == answer.data


def test_a_version_beyond_the_log_is_refused_with_the_current_one(
    queries: FlaskClient, play: Play
) -> None:
    ahead = play.table.version + 1
    for query in (f"?min_version={ahead}", f"?at={ahead}"):
        answer = get(queries, path(play, query))
        assert problem(answer) == (409, "version_not_reached")
        assert answer.get_json()["game_version"] == play.table.version


@pytest.mark.parametrize("query", ["?at=0", "?at=x", "?at=1&at=2", "?min_version=-1", "?since=1"])
def test_a_query_that_does_not_fit_is_refused(queries: FlaskClient, play: Play, query: str) -> None:
    assert problem(get(queries, path(play, query))) == (422, "invalid")


def test_every_past_version_is_shown_as_its_viewer_saw_it(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    who = archive.players(play)[1]
    for version in range(1, play.table.version + 1, 7):
        past = play.replayed(version)
        shown = get(queries, path(play, f"?at={version}"), who)
        assert shown.data == state_document(past, past.seat_of(play.table.seats[1]))
        assert shown.headers["Cache-Control"] == "private, no-cache"


def test_the_past_of_a_finished_game_may_be_kept_for_ever_by_all_if_all_may_see_it(
    queries: FlaskClient, archive: Archive
) -> None:
    for visibility, watcher in (("public", "public"), ("private", None)):
        play = Play(2, visibility=visibility).start().moves(10_000).store(archive.store)
        who = archive.sign_in(play.accounts[0])
        answer = get(queries, path(play, "?at=20"), who)
        assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
        if watcher:
            answer = get(queries, path(play, "?at=20"))
            assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert get(queries, path(play), who).headers["Cache-Control"] == "private, no-cache"


def test_without_redis_everything_is_folded_from_the_log(
    unlimited: FlaskClient, archive: Archive, play: Play, secret: Play
) -> None:
    who, *_ = archive.players(play)
    assert get(unlimited, path(play), who).data == state_document(play.table, 0)
    assert get(unlimited, path(play)).data == state_document(play.table, None)
    assert get(unlimited, path(secret)).status_code == 404
    answer = get(unlimited, path(play), If_None_Match=get(unlimited, path(play)).headers["ETag"])
    assert answer.status_code == 304


def test_losing_all_of_redis_loses_no_game(
    queries: FlaskClient, archive: Archive, play: Play, redis: Redis
) -> None:
    who, *_ = archive.players(play)
    before = get(queries, path(play), who).data
    redis.flushdb()
    assert get(queries, path(play), who).data == before


def test_a_token_without_the_scope_is_refused(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    who = archive.sign_in(UUID(play.table.seats[0]), scopes=("account",))
    assert problem(get(queries, path(play), who)) == (403, "missing_scope")


def test_a_game_is_seen_as_soon_as_it_is_in_the_log(queries: FlaskClient, archive: Archive) -> None:
    play = Play(3)
    assert get(queries, path(play)).status_code == 404
    store: EventStore = archive.store
    play.store(store)
    assert get(queries, path(play)).data == state_document(play.table, None)


def test_a_game_that_this_code_cannot_read_is_unavailable(
    queries: FlaskClient, archive: Archive, play: Play
) -> None:
    append_unknown(archive.store, play)
    for query in ("", f"?min_version={play.table.version + 1}", "?at=1", "/events"):
        answer = get(queries, path(play, query))
        assert problem(answer) == (503, "unavailable")
        assert answer.headers["Retry-After"] == "60"
