"""A changed, missing, added or moved record is found."""

from collections.abc import Callable
from uuid import uuid4

import psycopg
import pytest
from msgspec.structs import replace

from shared.eventstore.records import Record, chain_hash
from shared.eventstore.store import EventStore
from shared.eventstore.verify import ChainBroken, verify_chain
from tests.eventstore import games


@pytest.fixture
def chain(store: EventStore) -> list[Record]:
    game = games.create(store)
    games.append(store, game, store.head(game), count=4)
    return store.read(game)


def rewritten(record: Record, before: Record, text: str) -> Record:
    """As one who knows how the chain is made would write it."""
    return replace(record, text=text, hash=chain_hash(before.hash, text))


def changed(chain: list[Record], third: Callable[[Record], Record]) -> ChainBroken | None:
    return verify_chain([*chain[:2], third(chain[2]), *chain[3:]])


def test_a_whole_chain_is_sound_and_so_is_its_beginning(chain: list[Record]) -> None:
    assert verify_chain(chain) is None
    assert verify_chain(chain[:3]) is None
    assert verify_chain(iter(())) is None


def test_a_changed_text_is_found_where_it_is(chain: list[Record]) -> None:
    broken = changed(chain, lambda r: replace(r, text=r.text.replace('"number":1', '"number":7')))
    assert broken == ChainBroken(3, "the hash does not follow from the text")


def test_a_text_rewritten_with_its_hash_is_found_at_the_next_record(chain: list[Record]) -> None:
    text = chain[2].text.replace('"number":1', '"number":7')
    broken = changed(chain, lambda r: rewritten(r, chain[1], text))
    assert broken == ChainBroken(4, "the hash does not follow from the text")


def test_a_missing_a_doubled_and_a_moved_record_are_found(chain: list[Record]) -> None:
    for records in (
        chain[1:],
        [*chain[:2], *chain[3:]],
        [*chain[:3], chain[2], *chain[3:]],
        [*chain[:2], chain[3], chain[2], chain[4]],
    ):
        broken = verify_chain(records)
        assert broken is not None
        assert broken.reason.startswith("the next record is")


@pytest.mark.parametrize(
    "change",
    [
        {"type": "Other"},
        {"command_id": bytes(16)},
        {"command_ix": 9},
        {"part": 300},
    ],
)
def test_a_changed_column_is_found(chain: list[Record], change: dict[str, object]) -> None:
    broken = changed(chain, lambda r: replace(r, **change))
    assert broken is not None
    assert broken.version == 3


def test_a_record_of_another_game_is_found(chain: list[Record]) -> None:
    broken = changed(chain, lambda r: replace(r, game_id=uuid4()))
    assert broken is not None
    assert broken.version == 3


@pytest.mark.parametrize("text", ["{}", "no json", '{ "a": 1 }'])
def test_a_text_that_is_no_record_is_found(chain: list[Record], text: str) -> None:
    broken = verify_chain([*chain[:4], rewritten(chain[4], chain[3], text)])
    assert broken is not None
    assert broken.reason.startswith("the text is no record")


def test_a_text_that_is_not_canonical_is_found(chain: list[Record]) -> None:
    text = chain[4].text.replace(":", ": ", 1)
    broken = verify_chain([*chain[:4], rewritten(chain[4], chain[3], text)])
    assert broken == ChainBroken(5, "the text is not canonical")


def test_what_a_superuser_changes_behind_the_trigger_is_found(
    store: EventStore, each_postgres_url: str, chain: list[Record]
) -> None:
    game = chain[0].game_id
    with psycopg.connect(each_postgres_url) as superuser:
        superuser.execute("alter table es.events disable trigger append_only")
        superuser.execute(
            "update es.events set record = replace(record, 'move', 'admin') where version = 2"
        )
        superuser.execute("alter table es.events enable always trigger append_only")
    assert verify_chain(store.read(game)) == ChainBroken(
        2, "the hash does not follow from the text"
    )
