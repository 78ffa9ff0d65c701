"""Schemas of what a request brings, made from the very types that it is read into.

Nothing is let through that the reader would refuse at sight: unknown keys, numbers and texts that
are none of ours. So they differ from the schemas of the same types in an answer, and are named
apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from shared.http.documents import AT, Document, Schema, told

_COUNT = {"minimum": 0, "maximum": 1_000_000}
_TEXT = {"pattern": "^[ -~]*$", "maxLength": 200}
_NUMBERED = {"pattern": "^[0-9]{1,3}$"}
"""Keys of a map by seat."""


def requested(documents: Iterable[Document]) -> dict[str, Schema]:
    """Make the named schemas of these documents and of all their parts."""
    _, made = msgspec.json.schema_components(list(documents), ref_template=AT + "{name}")
    names = {name: _name(name, schema) for name, schema in made.items()}
    return {names[name]: _strict(schema, names) for name, schema in made.items()}


def _name(name: str, schema: Schema) -> str:
    """A word of the game is the same everywhere."""
    return name if "enum" in schema or name.endswith("Position") else f"Given{name}"


def _strict(schema: Any, names: Mapping[str, str]) -> Any:
    match schema:
        case str() if schema.startswith(AT):
            return AT + names[schema.removeprefix(AT)]
        case {"properties": Mapping() as properties, **rest}:
            named = {name: _strict(value, names) for name, value in properties.items()}
            return {**_strict(rest, names), "properties": named, "additionalProperties": False}
        case Mapping():
            strict = {key: _strict(value, names) for key, value in told(schema).items()}
            return _bounds(schema) | strict
        case list():
            return [_strict(item, names) for item in schema]
        case _:
            return schema


def _bounds(schema: Mapping[str, Any]) -> Schema:
    match schema:
        case {"enum": _}:
            return {"type": "string"}
        case {"type": "integer"}:
            return _COUNT
        case {"type": "string"}:
            return _TEXT
        case {"additionalProperties": Mapping()}:
            return {"propertyNames": _NUMBERED}
        case _:
            return {}
