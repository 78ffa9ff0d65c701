"""What is read of several parts at once is what is read of each."""

from services.projector.feed import Feed
from services.projector.wiring import Wiring
from shared.eventstore.store import EventStore
from tests.services.projector.games import plays


def test_each_part_is_read_from_its_position_and_to_its_limit(
    wiring: Wiring, log: EventStore
) -> None:
    for play in plays(6, parts=[0, 7, 255]):
        play.start().moves(5).store(log)
    asked = {255: (3, 5), 0: (0, 1000), 7: (1, 1), 9: (0, 5)}
    expected = {part: wiring.store.read_part(part, *asked[part]) for part in (0, 7, 255)}
    assert Feed(wiring.pool).read(asked) == expected
    assert [len(expected[part]) for part in (7, 255)] == [1, 5]
