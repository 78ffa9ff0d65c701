"""The strict parser by itself."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.http.json_body import MAX_BYTES, MAX_DEPTH, parse
from shared.http.problems import Problem


def refusal(raw: bytes) -> Problem:
    with pytest.raises(Problem) as caught:
        parse(raw)
    return caught.value


@pytest.mark.parametrize(
    ("raw", "pointer"),
    [
        (b'{"a": 2.5}', "/a"),
        (b'{"a": 1e20}', "/a"),
        (b'{"a": [0, 1e400]}', "/a/1"),
        (b'{"a": -1e400}', "/a"),
        (b'{"a": NaN}', "/a"),
        (b'{"a": {"b": Infinity}}', "/a/b"),
        (b'{"a": 2147483648}', "/a"),
        (b'{"a": -2147483649}', "/a"),
        (b'{"a": 1' + b"0" * 400 + b"}", "/a"),
        (b'{"a": 1' + b"0" * 50_000 + b"}", "/a"),
        (b'{"a": 1, "a": 2}', ""),
        (b'{"a": [{"b": 1, "b": 1}]}', "/a/0"),
        (b'{"a": "x\\u0000y"}', "/a"),
        (b'{"a": "\\ud800"}', "/a"),
        (b'{"a": {"\\ud800": 1}}', "/a"),
        (b'{"a/b~": 2.5}', "/a~1b~0"),
    ],
)
def test_a_fault_with_a_place_is_reported_with_its_pointer(raw: bytes, pointer: str) -> None:
    problem = refusal(raw)
    assert problem.code == "invalid"
    assert [fault["pointer"] for fault in problem.errors] == [pointer]
    assert problem.errors[0]["detail"].startswith("Must ")


@pytest.mark.parametrize(("raw", "place"), [(b"", 0), (b"[1 2]", 3), (b'{"a" 1}', 5)])
def test_what_is_no_json_is_told_by_its_place_not_in_the_parsers_words(
    raw: bytes, place: int
) -> None:
    assert refusal(raw).detail == f"This is no JSON from character {place} on."


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"{} {}",
        b"{'a': 1}",
        b'{"a": 1,}',
        b"\xff",
        b'{"a": "\xc3"}',
        b'{"a": "\xed\xa0\x80"}',
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        b'{"a": "\x00"}',
        b'{"a": "\n"}',
        b"\x00",
        b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
        b"[" * 10_000,
        b'{"a":' * 10_000,
        b'{"a": 01}',
        b'{"a": +1}',
        b'{"a": 0x10}',
    ],
)
def test_what_is_no_json_at_all_is_malformed(raw: bytes) -> None:
    assert refusal(raw).code == "malformed_body"


def test_the_largest_that_is_allowed_is_read() -> None:
    assert parse(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH) is not None
    assert parse(b"[2147483647, -2147483648, -0]") == [2147483647, -2147483648, 0]
    text = b'"' + b"x" * (MAX_BYTES - 2) + b'"'
    assert len(str(parse(text))) == MAX_BYTES - 2
    assert refusal(text + b" ").code == "body_too_large"


def test_brackets_in_strings_are_no_levels() -> None:
    assert parse(b'["' + b"[" * 100 + b'\\"{{{"]') == ["[" * 100 + '"{{{']


@pytest.mark.parametrize("raw", [b'"\\"' * 20_000, b'"' * 60_000, b"\\" * 60_000, b'"\\' * 30_000])
def test_no_text_takes_the_parser_long(raw: bytes) -> None:
    begin = time.process_time()
    refusal(raw)
    assert time.process_time() - begin < 0.5


documents = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**31), 2**31 - 1)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc"), inner, max_size=4),
    max_leaves=20,
)


@given(documents)
def test_every_document_without_fault_is_read_as_it_is(document: object) -> None:
    assert parse(json.dumps(document).encode()) == document
    assert parse(json.dumps(document, ensure_ascii=False).encode()) == document


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_as_a_problem(raw: bytes) -> None:
    try:
        parse(raw)
    except Problem as problem:
        assert problem.kind.status in {400, 422}  # noqa: PT017 (either outcome is right)
