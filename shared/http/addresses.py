"""Ids in addresses. One that cannot be an id is answered like one that names nothing: 404."""

from __future__ import annotations

from uuid import UUID

from shared.http.problems import Problem

Parameter = dict[str, object]


def id_of(text: str) -> UUID:
    """Read an id in capitals or small letters (RFC 9562); any other spelling is another address."""
    try:
        found = UUID(text)
    except ValueError:
        raise Problem("not_found") from None
    if str(found) != text.lower():
        raise Problem("not_found")
    return found


def id_parameter(name: str, description: str) -> Parameter:
    """Document an id in a path; goes into the `parameters` of `Blueprint.route`."""
    schema = {"type": "string", "format": "uuid"}
    return {"in": "path", "name": name, "description": description, "schema": schema}


def game_id_parameter() -> Parameter:
    """Document a game's id; made anew for each route, which writes into it."""
    return id_parameter("game_id", "The game's id.")
