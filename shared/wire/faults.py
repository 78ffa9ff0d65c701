"""Where a document has a fault: what msgspec found, and what it passes over."""

import re
from collections.abc import Callable, Iterator

from msgspec import ValidationError

_NOUNS = {
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_NUMBER = r"Expected `int` %s (-?\d+)"
_LENGTH = r"Expected `array` of length (\d+)"


def _type(found: re.Match[str]) -> str:
    kinds = [_NOUNS.get(kind, kind) for kind in found[1].split(" | ")]
    return f"Must be {' or '.join(kinds)}."


_IN_OUR_WORDS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (_NUMBER % ">=", lambda found: f"Must be a whole number, {found[1]} at least."),
    (_NUMBER % "<=", lambda found: f"Must be a whole number, {found[1]} at most."),
    (_LENGTH, lambda found: f"Must have {found[1]} entries."),
    ("Expected `(.+?)`", _type),
    ("Object contains unknown field `(.*)`", lambda found: f"{found[1]} is not known here."),
    ("Object missing required field `(.*)`", lambda found: f"{found[1]} must be given."),
    ("Invalid (?:enum )?value '(.*)'", lambda found: f"{found[1]} is not known here."),
)
"""What msgspec says, and how people say it."""


def _in_our_words(text: str) -> str:
    for theirs, own in _IN_OUR_WORDS:
        if found := re.match(theirs, text, re.DOTALL):
            return own(found)
    return "Is not possible here."


def located(error: ValidationError) -> tuple[str, str]:
    """What is wrong, and a JSON Pointer to it: `$.goods[0].to` becomes `/goods/0/to`.

    msgspec does not name the keys of a map, so a fault in one has the map's pointer.
    """
    detail, _, path = str(error).partition(" - at ")
    path = path.rpartition("`$")[2].removesuffix("`").partition("[...]")[0]
    return _in_our_words(detail), path.replace("[", ".").replace("]", "").replace(".", "/")


Strays = Iterator[tuple[str, str]]
MOST = 1_000_000
"""No number of a position is larger, event and draw numbers included."""


def strays(document: object, understood: object, pointer: str = "") -> Strays:
    """Where a document says what was not understood of it: JSON Pointers, and what is wrong.

    `understood` is the same written back: keys that it lacks are unknown. Numbers must be counts.
    """
    match document, understood:
        case dict(), dict():
            for key, value in document.items():
                step = str(key).replace("~", "~0").replace("/", "~1")
                if str(key) not in understood:
                    yield f"{pointer}/{step}", "Is not known here."
                else:
                    yield from strays(value, understood[str(key)], f"{pointer}/{step}")
        case ((list() | tuple()), (list() | tuple())):
            for index, value in enumerate(document):
                yield from strays(value, understood[index], f"{pointer}/{index}")
        case int(), int() if not 0 <= document <= MOST:
            yield pointer, f"Must be a whole number from 0 to {MOST}."
        case _:
            pass
