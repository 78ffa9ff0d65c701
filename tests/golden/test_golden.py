"""The recorded games are played as they were; together they show everything there is."""

import re
from pathlib import Path

import pytest

from shared.engine.events import Event
from shared.engine.vocabulary import BuildingKey, EndReason
from shared.wire.events import TYPES
from tests.golden.playthrough import read, write

FILES = sorted(Path(__file__).with_name("games").glob("*.txt"))
WHOLE = "".join(file.read_text() for file in FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_game_is_played_again_word_for_word(file: Path) -> None:
    """`make golden` writes the games anew when a change is meant: read the difference."""
    recorded = file.read_text()
    assert write(read(recorded)).splitlines() == recorded.splitlines()


def test_the_games_build_every_building() -> None:
    built = set(re.findall(r"^building_built: .*building (\w+)", WHOLE, re.MULTILINE))
    assert built == set(BuildingKey)


def test_the_games_have_every_event() -> None:
    happened = set(re.findall(r"^(\w+)(?::|$)", WHOLE, re.MULTILINE))
    assert happened == {name for name, (kind, _) in TYPES.items() if issubclass(kind, Event)}


def test_the_games_end_in_every_way() -> None:
    reasons = set(re.findall(r"^end_triggered: reason (\w+)", WHOLE, re.MULTILINE))
    assert reasons == set(EndReason)
