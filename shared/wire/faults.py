"""Where a document has a fault that msgspec found."""

from msgspec import ValidationError


def located(error: ValidationError) -> tuple[str, str]:
    """What is wrong, and a JSON Pointer to it: `$.goods[0].to` becomes `/goods/0/to`.

    msgspec does not name the keys of a map, so a fault in one has the map's pointer.
    """
    detail, _, path = str(error).partition(" - at ")
    path = path.rpartition("`$")[2].removesuffix("`").partition("[...]")[0]
    return detail, path.replace("[", ".").replace("]", "").replace(".", "/")
