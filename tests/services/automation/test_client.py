"""How long the client waits is what the server asks for, as far as it says so in seconds."""

import httpx
import pytest

from services.automation.client import _retry_after


@pytest.mark.parametrize(
    ("header", "seconds"), [("5", 5), ("Fri, 31 Dec 2032 23:59:59 GMT", 0), ("", 0)]
)
def test_seconds_are_waited_and_a_date_is_as_good_as_nothing(header: str, seconds: int) -> None:
    assert _retry_after(httpx.Response(503, headers={"Retry-After": header})) == seconds
