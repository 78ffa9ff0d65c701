"""Schemas of what is sent, made from the very types that are written out (shared/views).

A move has one schema, whether it is sent or listed: that of `MoveSchema`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from shared.engine.commands import Command
from shared.engine.options import Options

Document = type[msgspec.Struct]
Schema = dict[str, Any]

MOVE = "Move"
AT = "#/components/schemas/"
"""Where a specification keeps its schemas."""
_NAMES = {
    Options.__name__: "GameOptions",  # the schema of a request is called Options
    Command.__name__: MOVE,
    **{kind.__name__: MOVE for kind in Command.__subclasses__()},
}
_LEFT_OUT = ("default", "title")
"""An answer says all its values, a request's are the reader's; a title is a second name."""


def reference(document: Document) -> Schema:
    """Refer to the schema of a document."""
    return {"$ref": AT + _name(document.__name__)}


def components(documents: Iterable[Document]) -> dict[str, Schema]:
    """Make the named schemas of these documents and of all their parts but moves."""
    roots = list(documents)
    _, made = msgspec.json.schema_components(
        roots, ref_template=AT + "{name}", schema_hook=_any_value
    )
    schemas = {_name(name): _sent(schema) for name, schema in made.items()}
    wanted = [reference(root) for root in roots]
    found: dict[str, Schema] = {}
    while wanted:
        for name in _references(wanted.pop()):
            if name != MOVE and name not in found:
                found[name] = schemas[name]
                wanted.append(schemas[name])
    return found


def told(schema: Mapping[str, Any]) -> Schema:
    """Leave out what msgspec says of a schema and a specification need not."""
    kept = {key: value for key, value in schema.items() if key not in _LEFT_OUT}
    if kept.get("items") is False:  # maxItems says the same, in apispec's reach
        del kept["items"]
    return kept


def _name(name: str) -> str:
    return _NAMES.get(name, name)


def _any_value(kind: type) -> Schema:
    """Describe what the types leave open: the values in the body of an event."""
    if kind is object:
        return {"description": "What the `type` says."}
    raise NotImplementedError


def _sent(schema: Any) -> Any:
    """Say what holds for an answer: defaults are written out too, and moves are `Move`."""
    match schema:
        case {"$ref": str(ref)}:
            return {"$ref": AT + _name(ref.removeprefix(AT))}
        case {"properties": Mapping() as properties, **rest}:
            named = {name: _sent(value) for name, value in properties.items()}
            return _all_required(schema, {**_sent(rest), "properties": named})
        case {"enum": [*values]}:
            return {"type": "string", **schema, "enum": values}
        case Mapping():
            return {key: _sent(value) for key, value in told(schema).items()}
        case list():
            return [_sent(item) for item in schema]
        case _:
            return schema


def _all_required(schema: Mapping[str, Any], sent: Schema) -> Schema:
    """Require what has a default; what may be absent (UNSET) has none."""
    if "required" not in schema:
        return sent
    properties: Mapping[str, Schema] = schema["properties"]
    has_default = [name for name, value in properties.items() if "default" in value]
    return sent | {"required": [*schema["required"], *has_default]}


def _references(schema: Any) -> Iterator[str]:
    match schema:
        case {"$ref": str(ref)}:
            yield ref.removeprefix(AT)
        case Mapping():
            for value in schema.values():
                yield from _references(value)
        case list():
            for item in schema:
                yield from _references(item)
        case _:
            pass
