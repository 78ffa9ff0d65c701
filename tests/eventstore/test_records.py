"""Records: what the text of an event says, and the chain over the texts."""

from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from uuid import UUID

from shared.eventstore.records import (
    NO_HASH,
    Cause,
    NewEvent,
    Origin,
    build_records,
    part_of,
    read_envelope,
    rfc3339,
    time_after,
)
from shared.ids import uuid7

GAME = UUID("01890a5d-ac96-774b-bcce-b302099a8057")
ORIGIN = Origin(
    game_id=GAME,
    command_id=bytes(15) + b"\xff",
    time=datetime(2026, 11, 30, 8, 15, tzinfo=UTC),
    actor=GAME,
    cause=Cause.BOT,
)
EVENTS = [NewEvent("RoleChosen", 2, {"seat": 1, "role": "mayor"}), NewEvent("Café", 1, {})]


def test_the_text_of_a_record_never_changes() -> None:
    first, _ = build_records(EVENTS, ORIGIN, 7, NO_HASH)
    assert first.text == (
        '{"actor":"01890a5d-ac96-774b-bcce-b302099a8057","body":{"role":"mayor","seat":1},'
        '"cause":"bot","command_id":"000000000000000000000000000000ff","command_ix":0,'
        '"game_id":"01890a5d-ac96-774b-bcce-b302099a8057","on_behalf_of":null,'
        '"schema_version":2,"time":"2026-11-30T08:15:00.000000Z","type":"RoleChosen","version":8}'
    )


def test_each_hash_covers_the_hash_before_and_the_text() -> None:
    first, second = build_records(EVENTS, ORIGIN, 0, NO_HASH)
    assert first.hash == sha256(bytes(32) + first.text.encode()).digest()
    assert second.hash == sha256(first.hash + second.text.encode()).digest()
    assert [first.version, second.version, second.command_ix] == [1, 2, 1]


def test_a_text_is_read_back_as_it_was_meant() -> None:
    _, second = build_records(EVENTS, ORIGIN, 0, NO_HASH)
    said = read_envelope(second.text)
    assert (said.type, said.schema_version, said.body) == ("Café", 1, {})
    assert (said.time, said.actor, said.cause) == (ORIGIN.time, GAME, Cause.BOT)
    assert (said.game_id, said.version, said.command_ix) == (GAME, 2, 1)


def test_times_are_in_utc_whatever_the_zone() -> None:
    paris = timezone(timedelta(hours=1))
    assert rfc3339(datetime(2026, 1, 1, 0, 0, 0, 5, paris)) == "2025-12-31T23:00:00.000005Z"


def test_the_part_of_a_game_is_its_last_byte() -> None:
    assert part_of(GAME) == 0x57


def test_a_new_id_is_a_uuid_of_version_7_made_now() -> None:
    before = datetime.now(UTC)
    made = uuid7()
    assert (made.version, made.variant) == (7, "specified in RFC 4122")
    stamp = datetime.fromtimestamp((made.int >> 80) / 1000, UTC)
    assert abs(stamp - before) < timedelta(seconds=1)


def test_new_ids_differ_and_spread_over_the_parts() -> None:
    ids = {uuid7() for _ in range(4000)}
    assert len(ids) == 4000
    assert len({part_of(made) for made in ids}) == 256


def test_time_never_runs_back() -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert time_after(tomorrow) == tomorrow
    yesterday = datetime.now(UTC) - timedelta(days=1)
    assert datetime.now(UTC) - time_after(yesterday) < timedelta(minutes=1)
