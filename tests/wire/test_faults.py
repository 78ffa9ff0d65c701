"""What msgspec finds is told as people say it, with a pointer to its place."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct, ValidationError, convert

from shared.wire.faults import located


class Anything(Struct, forbid_unknown_fields=True, frozen=True):
    count: Annotated[int, Meta(ge=1, le=9)] = 1
    words: list[str] | None = None
    pair: tuple[str, str] = ("", "")
    choice: Literal["in_order", "at_once"] = "in_order"
    inner: dict[str, "Anything"] = {}
    flag: bool = False


class Needed(Struct):
    good: str


@pytest.mark.parametrize(
    ("document", "detail", "pointer"),
    [
        ({"count": 0}, "Must be a whole number, 1 at least.", "/count"),
        ({"count": 10}, "Must be a whole number, 9 at most.", "/count"),
        ({"count": "3"}, "Must be a whole number.", "/count"),
        ({"words": {}}, "Must be a list or null.", "/words"),
        ({"words": ["a", 7]}, "Must be a text.", "/words/1"),
        ({"pair": ["a"]}, "Must have 2 entries.", "/pair"),
        ({"choice": "frob"}, "frob is not known here.", "/choice"),
        ({"choice": 7}, "Must be a text.", "/choice"),
        ({"inner": {"a": {"frob": 1}}}, "frob is not known here.", "/inner"),
        ({"flag": 1}, "Must be true or false.", "/flag"),
        ([], "Must be an object.", ""),
    ],
)
def test_a_fault_is_told_in_words_of_ours(document: object, detail: str, pointer: str) -> None:
    with pytest.raises(ValidationError) as caught:
        convert(document, Anything)
    assert located(caught.value) == (detail, pointer)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(ValidationError) as caught:
        convert({}, Needed)
    assert located(caught.value) == ("good must be given.", "")


def test_what_nobody_has_foreseen_is_told_without_a_librarys_words() -> None:
    assert located(ValidationError("Frobnicated `int` - at `$.a[0]`")) == (
        "Is not possible here.",
        "/a/0",
    )
