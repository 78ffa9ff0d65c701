"""Old event bodies made new: pure functions from version n to n + 1, by stored name."""

from collections.abc import Callable

Body = dict[str, object]

UPCASTS: dict[tuple[str, int], Callable[[Body], Body]] = {}
"""(stored name, version n) → the body at version n + 1. No type has had a second version yet."""


def upcast(name: str, version: int, current: int, body: Body) -> Body:
    """The body at the current version."""
    for step in range(version, current):
        body = UPCASTS[name, step](body)
    return body
