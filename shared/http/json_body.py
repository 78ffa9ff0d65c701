"""Strict JSON: what is ambiguous, or would be read differently elsewhere, is refused.

The API has no fractions, so every number must be a whole one of at most 32 bits. Faults that have
a place are reported with a JSON Pointer; those that make the text no JSON at all are not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TypeAlias

from shared.http.problems import Fault, Problem, pointer

MAX_BYTES = 64 * 1024
MAX_DEPTH = 32
MAX_INTEGER = 2**31 - 1

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Path: TypeAlias = tuple[str | int, ...]

# A string, closed or not, or a bracket. Possessive, so that no text makes it backtrack.
_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class _RepeatedKey(dict[str, Json]):
    """An object whose text names a key twice; it stands in the tree until the faults are listed."""


def parse(raw: bytes) -> Json:
    """Read one JSON document, or raise a problem that says what is wrong with it, and where."""
    if len(raw) > MAX_BYTES:
        raise Problem("body_too_large")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem("malformed_body", f"Byte {error.start} is not valid UTF-8.") from None
    _refuse_depth(text)
    try:
        document: Json = json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_float=_number
        )
    except json.JSONDecodeError as error:
        raise Problem("malformed_body", f"This is no JSON from character {error.pos} on.") from None
    if faults := list(_faults(document, ())):
        raise Problem("invalid", errors=faults)
    return document


def _refuse_depth(text: str) -> None:
    """Count brackets before parsing, since the parser itself recurses."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for token in _TOKENS.finditer(text):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        if depth > MAX_DEPTH:
            raise Problem("malformed_body", f"More than {MAX_DEPTH} levels deep.")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _RepeatedKey(found)


def _integer(digits: str) -> int:
    """Do not reckon out numbers of thousands of digits: any too large one will do for them."""
    return int(digits) if len(digits) <= len(str(MAX_INTEGER)) + 1 else MAX_INTEGER + 1


def _number(text: str) -> int | float:
    """Take 3.0 for 3: to JSON Schema, and to languages without integers, they are the same."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _faults(value: Json, path: Path) -> Iterator[Fault]:
    match value:
        case list():
            for index, item in enumerate(value):
                yield from _faults(item, (*path, index))
        case dict():
            yield from _faults_of_object(value, path)
        case _:
            if detail := _fault_of_scalar(value):
                yield _fault(path, detail)


def _faults_of_object(value: dict[str, Json], path: Path) -> Iterator[Fault]:
    if isinstance(value, _RepeatedKey):
        yield _fault(path, "Must not name a key twice.")
    for key, item in value.items():
        if _UNSTORABLE.search(key):  # so it cannot stand in a pointer either
            yield _fault(path, "Must have no key with a NUL or half of a surrogate pair.")
        else:
            yield from _faults(item, (*path, key))


def _fault_of_scalar(value: bool | float | str | None) -> str | None:
    match value:
        case float():
            return "Must be a whole number."
        case int() if not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
            return "Must be a whole number of 32 bits."
        case str() if _UNSTORABLE.search(value):
            return "Must hold no NUL and no half of a surrogate pair."
        case _:
            return None


def _fault(path: Path, detail: str) -> Fault:
    return {"pointer": pointer(path), "detail": detail}
