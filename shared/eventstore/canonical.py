"""Canonical JSON (RFC 8785), so that a record has exactly one text and the text can be hashed.

Numbers are integers that every JSON reader keeps exactly; floats have no place in a record.
"""

import msgspec

MAX_INT = 2**53 - 1
_PLAIN, _LISTS = (str, bool, type(None)), (list, tuple)

_encode = msgspec.json.Encoder().encode  # writes names in the order they have, and UTF-8 only


def canonical(value: object) -> str:
    """The one text of `value`; ValueError or TypeError for what a record cannot hold."""
    return _encode(_ordered(value)).decode()


def _ordered(value: object) -> object:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, int):
        if abs(value) > MAX_INT:
            raise ValueError(f"{value} is beyond the integers of JSON")
        return value
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in _names(value)}
    if isinstance(value, _LISTS):
        return [_ordered(item) for item in value]
    raise TypeError(f"a record cannot hold a {type(value).__name__}")


def _names(value: dict[object, object]) -> list[str]:
    """RFC 8785 sorts names by their UTF-16 code units; ASCII sorts in any encoding."""
    try:
        joined = "".join(value)  # type: ignore[arg-type]  # which is what this finds out
    except TypeError:
        raise TypeError("the names of a record are strings") from None
    return sorted(value, key=None if joined.isascii() else _utf16)  # type: ignore[arg-type]


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be")
