"""What viewers see of a table, and what they cannot."""

import random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from shared.engine.options import Options
from shared.engine.vocabulary import Role
from shared.table.state import Status, Table
from shared.views.legal import legal_document
from shared.views.state import state_document, state_documents
from shared.wire.tables import decode_table, encode_table
from tests.tables import SEED, Play

positions = st.builds(
    lambda players, moves, seed, buildings, placement: (
        Play(
            players,
            Options(buildings=buildings, placement=placement),
            rng=random.Random(seed),
            game_id=UUID(int=seed),
        )
        .start()
        .moves(moves)
    ),
    st.integers(2, 5),
    st.integers(0, 250),
    st.integers(0, 2**32),
    st.sampled_from(["base", "random", "draft"]),
    st.sampled_from(["in_order", "at_once"]),
)


def shown(table: Table, viewer: int | None = None) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.json.decode(state_document(table, viewer))
    return document


def all_documents(table: Table) -> list[bytes]:
    seats = range(len(table.seats))
    return [
        *(state_document(table, viewer) for viewer in (None, *seats)),
        *(legal_document(table, seat) for seat in seats),
    ]


@settings(max_examples=20, deadline=None)
@given(positions)
def test_a_replayed_table_gives_the_bytes_of_the_one_played(play: Play) -> None:
    live = all_documents(play.table)
    assert all_documents(play.replayed()) == live
    assert all_documents(decode_table(encode_table(play.table))) == live


@settings(max_examples=20, deadline=None)
@given(positions, st.sampled_from(["as it is", "open", "aborted", "points not hidden"]))
def test_what_is_written_for_all_viewers_is_what_is_written_for_each(
    play: Play, change: str
) -> None:
    table = play.table.clone()
    if change == "open":
        table = play.replayed(upto=1)
    elif change == "aborted":
        table.status = Status.ABORTED
    elif change == "points not hidden":
        table.options = structs.replace(table.options, hidden_points=False)
    viewers = (None, *range(len(table.seats)))
    expected = {viewer: state_document(table, viewer) for viewer in viewers}
    assert state_documents(table) == expected


@settings(max_examples=20, deadline=None)
@given(positions, st.data())
def test_how_the_others_points_are_split_cannot_be_seen_while_the_game_runs(
    play: Play, data: st.DataObject
) -> None:
    table = play.table
    if table.status is not Status.RUNNING:
        return
    viewer = data.draw(st.sampled_from([None, *range(len(table.seats))]))
    other = table.clone()
    assert other.game is not None
    for seat, player in enumerate(other.game.players):
        if seat != viewer:
            player.victory_points = data.draw(st.integers(0, 60))
    assert state_document(other, viewer) == state_document(table, viewer)
    if viewer is not None:
        assert legal_document(other, viewer) == legal_document(table, viewer)


def test_a_seat_sees_its_own_points_and_a_watcher_none() -> None:
    table = Play(3).start().moves(30).table
    assert table.game is not None
    own = [player.victory_points for player in table.game.players]
    assert [p["victory_points"] for p in shown(table, 1)["players"]] == [None, own[1], None]
    assert [p["victory_points"] for p in shown(table)["players"]] == [None, None, None]


@pytest.mark.parametrize("over", [True, False])
def test_points_are_open_at_the_end_or_by_option(over: bool) -> None:
    play = Play(3, Options(hidden_points=over)).start().moves(10_000 if over else 30)
    assert play.table.game is not None
    assert (play.table.status is Status.FINISHED) is over
    assert [p["victory_points"] for p in shown(play.table)["players"]] == [
        player.victory_points for player in play.table.game.players
    ]


def test_an_aborted_game_opens_its_points_and_awaits_nobody() -> None:
    play = Play(3).start().moves(30)
    assert len(shown(play.table)["awaiting"]) == 1
    play.abort()
    document = shown(play.table)
    assert document["awaiting"] == []
    assert document["status"] == "aborted"
    assert document["seed"] == SEED.hex()
    assert None not in [player["victory_points"] for player in document["players"]]
    assert msgspec.json.decode(legal_document(play.table, 0))["moves"] == []


def test_the_seed_is_shown_when_the_game_is_over_and_not_before() -> None:
    play = Play(2).start()
    assert shown(play.table)["seed"] is None
    assert SEED.hex().encode() not in state_document(play.table, 0)
    assert shown(play.moves(10_000).table)["seed"] == SEED.hex()


def test_before_the_start_there_is_no_game_to_see() -> None:
    play = Play(3)
    document = shown(play.table)
    assert "round" not in document
    assert "players" not in document
    assert [member["nonce"] for member in document["members"]] == ["nonce-0", "nonce-1", "nonce-2"]
    assert document["awaiting"] == document["seats"] == []


def test_tiles_and_buildings_are_shown_with_their_colonists_in_the_order_of_placing() -> None:
    play = Play(3, rng=random.Random(5)).start()
    while not (play.table.game and any(len(p.city) > 2 for p in play.table.game.players)):
        play.move()
    seat = next(s for s, p in enumerate(play.table.game.players) if len(p.city) > 2)
    player, document = play.table.game.players[seat], shown(play.table)["players"][seat]
    assert document["city"] == [
        {"building": key, "colonists": colonists} for key, colonists in player.city.items()
    ]
    assert document["island"] == [
        {"tile": space.tile, "colonists": space.colonists} for space in player.island
    ]


def test_a_decision_id_is_the_seat_and_the_version_that_asked() -> None:
    play = Play(3).start()
    awaited = shown(play.table)["awaiting"]
    asked = play.table.game and play.table.game.awaiting[0]
    assert asked is not None
    assert awaited == [{"seat": 0, "decision": "choose_role", "decision_id": f"0.{asked.version}"}]
    assert asked.version == play.table.version


def test_the_phase_state_says_what_happened_within_the_phase() -> None:
    play = Play(3, rng=random.Random(3)).start()
    while not (play.table.game and play.table.game.phase):
        play.move()
    document = shown(play.table)
    memory = document["phase_state"]["phase"]
    assert Role(document["phase"]) == memory["role"]
    assert memory["taker"] == document["roles_taken"][document["phase"]]


def test_the_end_shows_scores_by_seat_and_the_winners() -> None:
    document = shown(Play(4).start().moves(10_000).table)
    assert document["finished"] is True
    assert sorted(document["scores"]) == ["0", "1", "2", "3"]
    for score in document["scores"].values():
        assert score["bonuses"] == sum(score["bonus_by_building"].values())
        assert score["total"] == score["victory_points"] + score["buildings"] + score["bonuses"]
    best = max(document["scores"].values(), key=lambda score: (score["total"], score["tie_break"]))
    assert document["scores"][str(document["winners"][0])] == best
