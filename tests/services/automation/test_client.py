"""How long the client waits, and what it takes for an answer of the API."""

import httpx
import pytest

from services.automation.client import ApiError, _document, _retry_after


@pytest.mark.parametrize(
    ("header", "seconds"), [("5", 5), ("Fri, 31 Dec 2032 23:59:59 GMT", 0), ("", 0)]
)
def test_seconds_are_waited_and_a_date_is_as_good_as_nothing(header: str, seconds: int) -> None:
    assert _retry_after(httpx.Response(503, headers={"Retry-After": header})) == seconds


ASKED = httpx.Request("GET", "http://127.0.0.1:8000/v1/games")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            httpx.Response(200, html="<p>It works!</p>", request=ASKED),
            "200: http://127.0.0.1:8000/v1/games answers with no JSON object: this is not the API.",
        ),
        (httpx.Response(200, json=["games"], request=ASKED), "this is not the API."),
        (
            httpx.Response(301, headers={"Location": "https://elsewhere/"}, request=ASKED),
            "leads to https://elsewhere/: name the API's own address.",
        ),
        (httpx.Response(502, html="<p>Oh!</p>", request=ASKED), "502: Bad Gateway"),
        (httpx.Response(500, json="Oh!", request=ASKED), "500: Internal Server Error"),
        (httpx.Response(404, json={"title": "None", "detail": "No game."}), "404: No game."),
    ],
)
def test_what_is_no_answer_of_the_api_is_told_in_a_sentence(
    answer: httpx.Response, said: str
) -> None:
    with pytest.raises(ApiError) as refusal:
        _document(answer)
    assert str(refusal.value).endswith(said)
