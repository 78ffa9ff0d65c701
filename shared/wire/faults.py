"""Where a document has a fault: what msgspec found, and what it passes over."""

from collections.abc import Iterator

from msgspec import ValidationError


def located(error: ValidationError) -> tuple[str, str]:
    """What is wrong, and a JSON Pointer to it: `$.goods[0].to` becomes `/goods/0/to`.

    msgspec does not name the keys of a map, so a fault in one has the map's pointer.
    """
    detail, _, path = str(error).partition(" - at ")
    path = path.rpartition("`$")[2].removesuffix("`").partition("[...]")[0]
    return detail, path.replace("[", ".").replace("]", "").replace(".", "/")


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
                    yield f"{pointer}/{step}", "This is not known."
                else:
                    yield from strays(value, understood[str(key)], f"{pointer}/{step}")
        case ((list() | tuple()), (list() | tuple())):
            for index, value in enumerate(document):
                yield from strays(value, understood[index], f"{pointer}/{index}")
        case int(), int() if not 0 <= document <= MOST:
            yield pointer, f"Not a number from 0 to {MOST}."
        case _:
            pass
