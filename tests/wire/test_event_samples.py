"""A stored sample of every event type and version, never edited: games hold such events."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shared.wire.events import TYPES, UnknownEvent, decode_event, encode_event

SAMPLES = Path(__file__).with_name("samples")
FILES = sorted(SAMPLES.glob("*.json"))


def test_every_type_and_version_has_a_sample() -> None:
    expected = {
        f"{name}.v{version}.json"
        for name, (_, current) in TYPES.items()
        for version in range(1, current + 1)
    }
    assert {file.name for file in FILES} == expected


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_sample_is_still_read_whole(file: Path) -> None:
    stored = json.loads(file.read_text())
    name, version, body = stored["type"], stored["schema_version"], stored["body"]
    assert file.name == f"{name}.v{version}.json"
    event = decode_event(name, version, body)
    assert type(event) is TYPES[name][0]
    if version == TYPES[name][1]:
        assert json.loads(json.dumps(encode_event(event))) == [name, version, body]


def test_what_newer_code_wrote_is_not_guessed_at() -> None:
    with pytest.raises(UnknownEvent):
        decode_event("phase_ended", 2, {"role": "mayor"})
    with pytest.raises(UnknownEvent):
        decode_event("weather_changed", 1, {})
