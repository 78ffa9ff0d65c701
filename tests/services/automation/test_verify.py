"""Whoever doubts a game checks its audit trail himself: every change to it is found."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from uuid import uuid4

import msgspec
import pytest

from services.automation.client import Document
from services.automation.verify import Falsified, verify
from shared.engine.options import Options
from shared.eventstore.records import NO_HASH, chain_hash
from shared.table.chance import commitment
from tests.services.automation.test_record import OPTIONS, trail
from tests.tables import SEED, Play


@pytest.fixture(scope="module")
def play() -> Play:
    return Play(3, Options(buildings="random"), rng=random.Random(5)).start().moves(5000)


@pytest.fixture
def items(play: Play) -> list[Document]:
    return copy.deepcopy(trail(play))


def forged(items: Sequence[Document], *changes: tuple[str, str]) -> list[Document]:
    """The whole trail written anew, with its hashes, by who knows how: the last doubt is chance."""
    head, written = NO_HASH, []
    for item in items:
        text = item["record"]
        for old, new in changes:
            text = text.replace(old, new)
        head = chain_hash(head, text)
        shown = {**msgspec.json.decode(text), "record": text, "hash": head.hex()}
        written.append({key: shown[key] for key in item})
    return written


def index_of(items: Sequence[Document], kind: str) -> int:
    return next(index for index, item in enumerate(items) if item["type"] == kind)


@pytest.mark.parametrize(("players", "options"), list(enumerate(OPTIONS, start=2)))
def test_an_honest_game_is_found_so(players: int, options: Options) -> None:
    play = Play(players, options, rng=random.Random(players)).start().moves(5000)
    assert play.table.game is not None
    chain, draws = verify(play.game_id, trail(play))
    assert chain.startswith(f"The chain is whole: {len(play.records)} events")
    assert draws.startswith(f"All {play.table.game.draws} draws follow")


def test_draws_wait_for_the_seed_and_an_aborted_game_reveals_it() -> None:
    play = Play(3).start().moves(10)
    assert "when the seed is revealed" in verify(play.game_id, trail(play))[1]
    play.abort()
    assert verify(play.game_id, trail(play))[1].startswith("All ")


def test_a_game_nobody_started_took_no_draws() -> None:
    play = Play(3)
    play.abort()
    assert verify(play.game_id, trail(play))[1].startswith("All 0 draws")


def test_a_changed_event_is_found(play: Play, items: list[Document]) -> None:
    items[50]["record"] = items[50]["record"].replace('"cause":"move"', '"cause":"admin"')
    items[50]["cause"] = "admin"
    with pytest.raises(Falsified, match="event 51: the hash does not follow"):
        verify(play.game_id, items)


def test_an_event_shown_otherwise_than_written_is_found(play: Play, items: list[Document]) -> None:
    items[50]["actor"] = str(uuid4())
    with pytest.raises(Falsified, match="event 51 is shown otherwise"):
        verify(play.game_id, items)


def test_another_games_trail_and_none_at_all_are_found(play: Play, items: list[Document]) -> None:
    with pytest.raises(Falsified, match="event 1: "):
        verify(uuid4(), items)
    with pytest.raises(Falsified, match="no events"):
        verify(play.game_id, [])


def test_a_trail_written_anew_lacks_the_hash_noted_earlier(
    play: Play, items: list[Document]
) -> None:
    noted = items[100]["hash"]
    verify(play.game_id, items, noted)
    other = forged(items, ('"cause":"move"', '"cause":"admin"'))
    verify(play.game_id, other)
    with pytest.raises(Falsified, match=f"{noted} is not in the chain"):
        verify(play.game_id, other, noted)


def test_another_seed_than_the_one_committed_to_is_found(play: Play, items: list[Document]) -> None:
    with pytest.raises(Falsified, match="not the one committed to"):
        verify(play.game_id, forged(items, (SEED.hex(), "00" * 32)))


def test_a_seed_exchanged_with_its_commitment_makes_other_draws(
    play: Play, items: list[Document]
) -> None:
    other = bytes(32)
    changes = ((SEED.hex(), other.hex()), (commitment(SEED), commitment(other)))
    with pytest.raises(Falsified, match="the seed "):
        verify(play.game_id, forged(items, *changes))


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("plantations_turned_up", '"first_draw":', '"first_draw":1'),
        ("game_set_up", '"first_draw":2', '"first_draw":3'),
        ("game_set_up", '"buildings":["', '"buildings":["indigo_plant","'),
        ("game_started", '"draws":2', '"draws":4'),
    ],
)
def test_a_draw_that_is_not_what_the_seed_decides_is_found(
    play: Play, items: list[Document], kind: str, old: str, new: str
) -> None:
    index = index_of(items, kind)
    items[index]["record"] = items[index]["record"].replace(old, new, 1)
    with pytest.raises(Falsified, match=f"event {index + 1}: the event says"):
        verify(play.game_id, forged(items))


def test_events_that_no_game_makes_are_found(play: Play, items: list[Document]) -> None:
    with pytest.raises(Falsified, match="cannot be read"):
        verify(play.game_id, forged(items, ('"type":"role_chosen"', '"type":"role_invented"')))
    items[0]["hash"] = "no hash"
    with pytest.raises(Falsified, match="cannot be read"):
        verify(play.game_id, items)
