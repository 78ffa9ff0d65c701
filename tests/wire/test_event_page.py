"""docs/events.md says what is stored."""

from shared.wire.event_page import PAGE, page


def test_the_page_of_events_is_up_to_date() -> None:
    assert PAGE.read_text() == page()
