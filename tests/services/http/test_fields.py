"""Fields convert nothing."""

from __future__ import annotations

import pytest
from marshmallow import Schema, ValidationError

from shared.http.fields import QueryInt, StrictBool, StrictInt, StrictMap, StrictString


class Everything(Schema):
    number = StrictInt(minimum=1, maximum=9)
    flag = StrictBool()
    text = StrictString(minimum=2, maximum=5, pattern="[a-z]+")
    line = StrictString()
    counts = StrictMap(StrictString(), StrictInt(minimum=0))
    after = QueryInt(maximum=100)


SCHEMA = Everything()


@pytest.mark.parametrize(
    "given",
    [
        {"number": 1},
        {"number": 9},
        {"flag": False},
        {"text": "abc"},
        {"line": "Ünïcödé 🏝"},
        {"counts": {"corn": 0}},
    ],
)
def test_what_fits_is_taken_as_it_is(given: dict[str, object]) -> None:
    assert SCHEMA.load(given) == given


@pytest.mark.parametrize("number", [0, 10, "3", 2.5, 3.0, True, None, [3], 10**400])
def test_an_integer_is_one_and_within_bounds(number: object) -> None:
    refused({"number": number}, "number")


@pytest.mark.parametrize("flag", [1, 0, "true", "yes", None])
def test_a_boolean_is_true_or_false(flag: object) -> None:
    refused({"flag": flag}, "flag")


@pytest.mark.parametrize("text", ["a", "abcdef", "ABC", "abc\n", 7, b"abc"])
def test_a_pattern_fits_the_whole_text(text: object) -> None:
    refused({"text": text}, "text")


@pytest.mark.parametrize("mark", ["\0", "\n", "\x1b", "\x7f", "\x85", "\u202e", "\u2028"])
def test_a_line_has_no_controls(mark: str) -> None:
    refused({"line": f"a{mark}b"}, "line")


def test_the_fault_of_a_map_stands_under_its_key() -> None:
    with pytest.raises(ValidationError) as caught:
        SCHEMA.load({"counts": {"corn": -1, "": 2}})
    assert set(caught.value.messages_dict["counts"]) == {"corn", ""}
    refused({"counts": []}, "counts")


@pytest.mark.parametrize(
    ("text", "taken"),
    [("7", 7), ("007", 7), ("-1", None), ("1e1", None), ("٣", None), ("", None), ("101", None)],
)
def test_an_integer_of_a_query_is_plain_digits(text: str, taken: int | None) -> None:
    if taken is None:
        refused({"after": text}, "after")
    else:
        assert SCHEMA.load({"after": text}) == {"after": taken}


def refused(given: dict[str, object], field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        SCHEMA.load(given)
    assert list(caught.value.messages_dict) == [field]
