"""Partial comparison: only what is named is compared."""

UNORDERED = ("face_up", "trading_house", "winners")


def difference(expected: object, found: object, path: str = "") -> str | None:
    """The first thing that is not as expected, as a sentence."""
    if isinstance(expected, dict):
        return _map_difference(expected, found, path)
    if isinstance(expected, list) and isinstance(found, list):
        return _list_difference(expected, found, path)
    if type(expected) is type(found) and expected == found:
        return None
    return _sentence(path, expected, found)


def _map_difference(expected: dict[object, object], found: object, path: str) -> str | None:
    if isinstance(found, list):
        found = dict(enumerate(found))
    if found is None and not expected:  # an empty map names nothing, be there something or not
        return None
    if not isinstance(found, dict):
        return _sentence(path, expected, found)
    by_name = {str(key): value for key, value in found.items()}
    for key, value in expected.items():
        if str(key) not in by_name:
            return _sentence(f"{path}.{key}", value, "no such key")
        if fault := difference(value, by_name[str(key)], f"{path}.{key}"):
            return fault
    return None


def _list_difference(expected: list[object], found: list[object], path: str) -> str | None:
    if path.rpartition(".")[2] in UNORDERED:
        expected, found = sorted(expected, key=str), sorted(found, key=str)
    if len(expected) != len(found):
        return _sentence(path, expected, found)
    for index, (value, other) in enumerate(zip(expected, found, strict=True)):
        if difference(value, other, f"{path}.{index}"):
            return _sentence(path, expected, found)
    return None


def _sentence(path: str, expected: object, found: object) -> str:
    return f"expected {path.removeprefix('.')} {expected}, found {found}"
