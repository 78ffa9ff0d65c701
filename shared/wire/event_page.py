"""Writes docs/events.md, what the body of each stored event holds, from the events' classes."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from shared.wire.events import TYPES

PAGE = Path(__file__).parents[2] / "docs" / "events.md"

_HEAD = """\
# Events

What happened in a game, as `GET /v1/games/{game_id}/events` tells it. `type` and `schema_version` say what
`body` holds. Events are facts with their whole outcome; they are never changed, so whoever replays them
needs no rules. New types may come, and new versions of a type. Written by
`python -m shared.wire.event_page`.
"""
_WORDS = {int: "integer", str: "text", bool: "true or false"}


def page() -> str:
    parts: list[type] = []
    events = [
        _section(f"`{name}`, version {version}", kind, parts)
        for name, (kind, version) in TYPES.items()
    ]
    found: list[str] = []
    for part in parts:  # grows while it is read
        found.append(
            _words(part) if issubclass(part, Enum) else _section(part.__name__, part, parts)
        )
    return "\n".join([_HEAD, *events, "# Parts of bodies\n", *found])


def _section(title: str, kind: type, parts: list[type]) -> str:
    """A heading, what the class says of itself, and its fields."""
    hints, said = get_type_hints(kind), _said(kind)
    lines = [
        f"- `{field.name}`: {_type(hints[field.name], parts)}{said.get(field.name, '')}"
        for field in msgspec.structs.fields(kind)
    ]
    about = inspect.cleandoc(kind.__doc__ or "")
    return f"## {title}\n\n{about}\n\n" + "".join(f"{line}\n" for line in lines)


def _words(kind: type[Enum]) -> str:
    values = ", ".join(f"`{word.value}`" for word in kind)
    return f"## {kind.__name__}\n\n{values}\n"


def _type(kind: Any, parts: list[type]) -> str:
    arguments = get_args(kind)
    match get_origin(kind):
        case None if kind in _WORDS:
            return _WORDS[kind]
        case None if isinstance(kind, type):
            if kind not in parts:
                parts.append(kind)
            return f"[{kind.__name__}](#{kind.__name__.lower()})"
        case origin if origin is tuple:
            return f"list of {_type(arguments[0], parts)}"
        case origin if origin is dict:
            return f"{_type(arguments[1], parts)} by {_type(arguments[0], parts)}"
        case origin if origin is UnionType:
            words = ("null" if one is NoneType else _type(one, parts) for one in arguments)
            return " or ".join(words)
    raise NotImplementedError(kind)


def _said(kind: type) -> dict[str, str]:
    """The sentences below the fields of a class, which only its source has."""
    [body] = [
        node.body
        for node in ast.parse(inspect.getsource(sys.modules[kind.__module__])).body
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    ]
    return dict(_sentences(body))


def _sentences(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for field, below in zip(body, body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, ". " + " ".join(text.split())


if __name__ == "__main__":
    PAGE.write_text(page())
