"""Canonical JSON (RFC 8785), so that a record has exactly one text and the text can be hashed.

Numbers are integers that every JSON reader keeps exactly; floats have no place in a record.
"""

import json
from collections.abc import Mapping

MAX_INT = 2**53 - 1


def canonical(value: object) -> str:
    """The one text of `value`; ValueError or TypeError for what a record cannot hold."""
    return json.dumps(_ordered(value), ensure_ascii=False, separators=(",", ":"))


def _ordered(value: object) -> object:
    match value:
        case None | bool():
            return value
        case str():
            value.encode()  # refuses a lone surrogate
            return value
        case int():
            if abs(value) > MAX_INT:
                raise ValueError(f"{value} is beyond the integers of JSON")
            return value
        case Mapping():
            return {key: _ordered(value[key]) for key in sorted(value, key=_utf16)}
        case list() | tuple():
            return [_ordered(item) for item in value]
        case _:
            raise TypeError(f"a record cannot hold a {type(value).__name__}")


def _utf16(key: object) -> bytes:
    """RFC 8785 sorts names by their UTF-16 code units."""
    if not isinstance(key, str):
        raise TypeError(f"the names of a record are strings, not {type(key).__name__}")
    return key.encode("utf-16-be")
