"""Writes docs/events.md, what the body of each stored event holds, from the events' classes."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from shared.engine.vocabulary import BuildingKey
from shared.wire.events import TYPES

PAGE = Path(__file__).parents[2] / "docs" / "events.md"

_HEAD = """\
# The events

What the log of a game says: the `type`, `schema_version` and `body` of each item of
`GET /v1/games/{id}/events`. A type once stored never changes: a new field gets a default, a new
meaning a new version, and old versions stay readable. Seats count from 0; a place is an island
index, a building or `san_juan`; times, actors and causes stand beside the body. Words in italics
are sets of ids, as in the [rules](rules.md) and `GET /v1/rules`.

This page is made by `python -m shared.wire.event_page`.
"""
_PLAIN = {int: "integer", str: "string", bool: "boolean", NoneType: "null"}
_OPENING = {True: "\n\n| field | is |\n|---|---|\n", False: " The body is empty.\n"}


def page() -> str:
    sections = (_section(name, kind, version) for name, (kind, version) in TYPES.items())
    return "\n".join([_HEAD, *sections])


def _section(name: str, kind: type[Struct], version: int) -> str:
    """What the class says of itself, and its fields."""
    rows = "".join(f"| `{field}` | {shape} |\n" for field, shape in _shapes(kind).items())
    about = inspect.cleandoc(kind.__doc__ or "")
    return f"## {name}\n\n{about}\n\nVersion {version}.{_OPENING[bool(rows)]}{rows}"


def _shapes(kind: type[Struct]) -> dict[str, str]:
    hints = get_type_hints(kind)
    return {field.name: _shape(hints[field.name]) for field in fields(kind)}


def _shape(kind: Any) -> str:
    """What a value is, in the words of JSON and of the game."""
    arguments = get_args(kind)
    match get_origin(kind):
        case origin if origin is UnionType:
            return " or ".join(map(_shape, arguments))
        case origin if origin is Literal:
            return " or ".join(f"`{value}`" for value in arguments)
        case origin if origin is dict:
            return f"map of {_shape(arguments[0])} to {_shape(arguments[1])}"
        case origin if origin is tuple and Ellipsis in arguments:
            return f"list of {_shape(arguments[0])}"
        case origin if origin is tuple:
            return f"[{', '.join(map(_shape, arguments))}]"
        case _:
            return _PLAIN.get(kind) or _named(kind)


def _named(kind: type[Enum | Struct]) -> str:
    """A word of the game, or an object with its members."""
    if issubclass(kind, Struct):
        members = (f"`{name}`: {shape}" for name, shape in _shapes(kind).items())
        return f"{{{', '.join(members)}}}"
    if kind is BuildingKey:
        return "*building*"
    return f"*{re.sub('(?<=[a-z])(?=[A-Z])', ' ', kind.__name__).lower()}*"


if __name__ == "__main__":
    PAGE.write_text(page())
