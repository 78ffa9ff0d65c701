"""The check of the log bites: each way to break a promise is found."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from shared.eventstore.records import (
    NO_HASH,
    NewEvent,
    Origin,
    Record,
    build_records,
    part_of,
)
from shared.http.idempotency import command_id
from shared.ids import uuid7
from tests.faults.bots import Journal, Promise
from tests.faults.check import faults_of_log

GAME, ACCOUNT, NOW = uuid7(), uuid7(), datetime(2030, 1, 1, tzinfo=UTC)


def stored(*keys: str) -> list[Record]:
    """A game's records: one for each request with these keys."""
    records: list[Record] = []
    for key in keys:
        origin = Origin(game_id=GAME, command_id=command_id(ACCOUNT, key), time=NOW, actor=ACCOUNT)
        head = records[-1].hash if records else NO_HASH
        [new] = build_records([NewEvent("noted", 1, {})], origin, len(records), head)
        place = (part_of(GAME), new.version, GAME, new.version, origin.command_id, 0)
        records.append(Record(*place, new.type, new.text, new.hash, NOW))
    return records


def promised(records: list[Record], *keys: str) -> Journal:
    """The journal of who asked under these keys and was answered with these records."""
    journal = Journal()
    for key, record in zip(keys, records, strict=False):
        event = {"version": record.version, "hash": record.hash.hex()}
        journal.asked.add((str(ACCOUNT), key))
        journal.promises.append(Promise(str(ACCOUNT), key, {"id": str(GAME), "events": [event]}))
    journal.over.append(str(GAME))
    return journal


def faults(records: list[Record], journal: Journal, game: UUID = GAME) -> list[str]:
    return [fault.partition(":")[0] for fault in faults_of_log({game: records}, journal)]


def test_promises_that_were_kept_are_no_fault() -> None:
    records = stored("a", "b")
    assert faults(records, promised(records, "a", "b")) == []


def test_a_request_of_which_nothing_was_heard_may_be_stored_or_not() -> None:
    journal = promised(stored("a"), "a")
    journal.asked.add((str(ACCOUNT), "b"))
    assert faults(stored("a"), journal) == faults(stored("a", "b"), journal) == []


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        (stored("a"), "accepted, but not stored once as answered"),  # lost
        (stored("a", "b", "b"), "accepted, but not stored once as answered"),  # doubled
        (stored("a", "b", "c"), "stored, but nobody asked"),
    ],
)
def test_a_broken_promise_is_found(found: list[Record], fault: str) -> None:
    assert faults(found, promised(stored("a", "b"), "a", "b")) == [fault]


def test_a_broken_chain_is_found() -> None:
    records = stored("a", "b")
    records[0] = msgspec.structs.replace(records[0], text=records[0].text + " ")
    assert faults(records, promised(records, "a", "b")) == [f"chain of {GAME}"]


def test_a_game_that_was_not_finished_is_found() -> None:
    records = stored("a")
    journal = promised(records, "a")
    journal.over.clear()
    assert faults(records, journal) == ["game not finished"]
