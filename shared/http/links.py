"""Links of the specification: what may be asked next with what was just answered (OpenAPI 4.8.20).

Programs follow them, among them the tests that try requests made at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from shared.http.blueprint import Blueprint

View = TypeVar("View", bound=Callable[..., Any])

GAME = "$request.path.game_id"
"""The game that was asked about."""


def leads_to(
    status: int, *operations: str, sends: Mapping[str, str] | None = None, **parameters: str
) -> Callable[[View], View]:
    """Document that an answer of this status gives the parameters of these operations.

    A parameter, or a member of the body that is sent, is a place in the answer (`items/0/id`) or an
    expression of its own, which begins with a dollar sign.
    """
    given: dict[str, Any] = {"parameters": _expressions(parameters)}
    if sends:
        given["requestBody"] = _expressions(sends)
    links = {operation: {"operationId": operation, **given} for operation in operations}
    documented: Callable[[View], View] = Blueprint.doc(responses={status: {"links": links}})
    return documented


def _expressions(places: Mapping[str, str]) -> dict[str, str]:
    return {
        name: place if place.startswith("$") else f"$response.body#/{place}"
        for name, place in places.items()
    }
