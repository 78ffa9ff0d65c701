"""Canonical JSON, RFC 8785."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.eventstore.canonical import canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_names_are_sorted_by_their_utf16_units_as_in_the_rfc() -> None:
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    text = canonical(dict.fromkeys(names, 0))
    assert list(json.loads(text)) == [
        "\r",
        "1",
        "\u0080",
        "\u00f6",
        "\u20ac",
        "\U0001f600",
        "\ufb33",
    ]


def test_strings_are_escaped_as_little_as_in_the_rfc() -> None:
    assert canonical('\u20ac$\u000f\nA\'B"\\\\"/\x7f') == '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\x7f"'


def test_literals_and_nesting_have_one_form_without_spaces() -> None:
    value = {"b": [True, False, None, -1, 0], "a": {"y": (), "x": {}}}
    assert canonical(value) == '{"a":{"x":{},"y":[]},"b":[true,false,null,-1,0]}'


@pytest.mark.parametrize("number", [2**53 - 1, -(2**53) + 1])
def test_integers_up_to_those_every_reader_keeps_are_written(number: int) -> None:
    assert canonical(number) == str(number)


@pytest.mark.parametrize("value", [2**53, -(2**53), "\ud800", {"\udfff": 0}])
def test_what_other_readers_would_change_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"beyond|surrogates"):
        canonical(value)


@pytest.mark.parametrize("value", [1.0, float("nan"), b"", {1: 2}, {1, 2}, [[0.5]]])
def test_what_is_no_json_or_no_integer_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="record"):
        canonical(value)


@given(VALUES)
def test_every_value_is_read_back_and_has_one_text(value: object) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text
