"""Moves as short text: `settler`, `take corn`, `build wharf`, `load corn 1` (docs/notation.md)."""

from collections.abc import Callable, Iterable

from shared.engine.commands import (
    Build,
    ChooseBuilding,
    ChooseRole,
    Command,
    DrawPlantation,
    LoadAssorted,
    LoadGoods,
    MoveGuests,
    Pass,
    PlaceColonists,
    PlaceDrawnPlantation,
    SellGood,
    StoreGoods,
    TakeExtraGood,
    TakePlantation,
)
from shared.engine.vocabulary import BuildingKey, Good, Role
from shared.wire.moves import MalformedMove, Move, decode_move

_NO_PRIVILEGE, _NO_HOSPICE, _NO_UNIVERSITY = "-privilege", "-hospice", "-university"
_FOREST, _FOR, _TO, _POINT = "forest", "for", "to", "point"
_WHOLE, _COLONIST = "whole=", "colonist@"
_NO_TILE = "-"


class UnreadableMove(Exception):
    """No move is written like this."""


def write_move(command: Command) -> str:
    """The text that means this move."""
    return " ".join(_words(command))


def read_move(text: str) -> Command:
    """The move that this text means. Raises UnreadableMove."""
    verb, *words = text.split() or [""]
    if verb in list(Role):
        verb, words = "", [verb, *words]
    try:
        return decode_move(_READ[verb](words))
    except (KeyError, ValueError, MalformedMove):
        raise UnreadableMove(f"{text!r} is no move") from None


# Written


def _words(command: Command) -> Iterable[str]:  # noqa: C901, PLR0912 (a row for each move)
    match command:
        case ChooseRole(role=role, decline_privilege=declined):
            return [role, *_flag(_NO_PRIVILEGE, given=declined)]
        case ChooseBuilding(building=building):
            return ["draft", building]
        case TakePlantation(tile=tile, decline_hospice=declined, as_forest=forest):
            return [
                "take", tile, *_flag(_NO_HOSPICE, given=declined), *_flag(_FOREST, given=forest)
            ]  # fmt: skip
        case DrawPlantation():
            return ["draw"]
        case PlaceDrawnPlantation(as_forest=forest):
            return ["put", *_flag(_FOREST, given=forest)]
        case PlaceColonists(island=island, city=city):
            return ["place", "".join(map(str, island)) or _NO_TILE, *_counts(city)]
        case Build():
            return _build_words(command)
        case TakeExtraGood(good=good):
            return ["extra", good]
        case SellGood(good=good, to=to):
            return ["sell", good, *([] if to is None else [_TO, to])]
        case LoadGoods(good=good, ship=ship):
            return ["load", good, str(ship)]
        case LoadAssorted(goods=goods):
            return ["ship", *_counts(goods)]
        case StoreGoods(warehouses=whole, barrels=barrels):
            return ["store", *([_WHOLE + ",".join(whole)] if whole else []), *_counts(barrels)]
        case MoveGuests(guests=guests):
            return ["guests", *(str(guest.to) for guest in guests)]
        case Pass():
            return ["pass"]
        case _:
            raise AssertionError(f"{command} has no text")


def _flag(word: str, *, given: bool) -> list[str]:
    return [word] if given else []


def _counts(numbers: dict[Good, int] | dict[BuildingKey, int]) -> list[str]:
    return [f"{key}={number}" for key, number in numbers.items()]


def _build_words(command: Build) -> list[str]:
    words = ["build", command.building]
    words += _flag(_NO_UNIVERSITY, given=command.decline_university)
    if (given := command.exchange) is not None:
        words.append(_FOR)
        words += [] if given.colonist is None else [f"{_COLONIST}{given.colonist}"]
        words += [] if given.good is None else [given.good]
        words += _flag(_POINT, given=given.victory_point)
    return words


# Read: each makes the move in its wire form, or raises ValueError or KeyError


def _read_role(words: list[str]) -> Move:
    role, *flags = words
    declined = _flags(flags, {_NO_PRIVILEGE: "decline_privilege"})
    return {"type": "choose_role", "role": role, **declined}


def _read_take(words: list[str]) -> Move:
    tile, *flags = words
    known = {_NO_HOSPICE: "decline_hospice", _FOREST: "as_forest"}
    return {"type": "take_plantation", "tile": tile, **_flags(flags, known)}


def _read_put(words: list[str]) -> Move:
    return {"type": "place_drawn_plantation", **_flags(words, {_FOREST: "as_forest"})}


def _read_place(words: list[str]) -> Move:
    tiles, *city = words
    island = [] if tiles == _NO_TILE else [int(digit) for digit in tiles]
    return {"type": "place_colonists", "island": island, "city": _numbers(city)}


def _read_build(words: list[str]) -> Move:
    building, *rest = words
    flags, given = rest, None
    if _FOR in rest:
        at = rest.index(_FOR)
        flags, given = rest[:at], rest[at + 1 :]
    move: Move = {"type": "build", "building": building}
    move |= _flags(flags, {_NO_UNIVERSITY: "decline_university"})
    return move if given is None else move | {"exchange": _exchange(given)}


def _exchange(words: list[str]) -> Move:
    given: Move = {}
    for word in words:
        if word.startswith(_COLONIST):
            one: Move = {"colonist": _place(word.removeprefix(_COLONIST))}
        else:
            one = {"victory_point": True} if word == _POINT else {"good": word}
        if one.keys() & given.keys():
            raise ValueError(word)
        given |= one
    return given


def _read_sell(words: list[str]) -> Move:
    good, *rest = words
    if rest and rest[0] != _TO:
        raise ValueError(rest)
    return {"type": "sell_good", "good": good, **dict(zip(rest[::2], rest[1::2], strict=True))}


def _read_load(words: list[str]) -> Move:
    good, ship = words
    return {"type": "load_goods", "good": good, "ship": _place(ship)}


def _read_store(words: list[str]) -> Move:
    whole: list[str] = []
    if words and words[0].startswith(_WHOLE):
        whole, words = words[0].removeprefix(_WHOLE).split(","), words[1:]
    return {"type": "store_goods", "warehouses": whole, "barrels": _numbers(words)}


def _flags(words: list[str], known: dict[str, str]) -> Move:
    if len(set(words)) < len(words):
        raise ValueError(words)
    return {known[word]: True for word in words}


def _numbers(words: list[str]) -> dict[str, int]:
    pairs = [word.split("=") for word in words]
    numbers = {key: int(number) for key, number in pairs}
    if len(numbers) < len(pairs):
        raise ValueError(words)
    return numbers


def _place(word: str) -> int | str:
    return int(word) if word.isdecimal() else word


def _only(kind: str, *keys: str) -> Callable[[list[str]], Move]:
    """A move with just these arguments."""
    return lambda words: {"type": kind, **dict(zip(keys, words, strict=True))}


_READ: dict[str, Callable[[list[str]], Move]] = {
    "": _read_role,
    "draft": _only("choose_building", "building"),
    "take": _read_take,
    "draw": _only("draw_plantation"),
    "put": _read_put,
    "place": _read_place,
    "build": _read_build,
    "extra": _only("take_extra_good", "good"),
    "sell": _read_sell,
    "load": _read_load,
    "ship": lambda words: {"type": "load_small_wharf", "goods": _numbers(words)},
    "store": _read_store,
    "guests": lambda words: {
        "type": "move_guests",
        "guests": [{"to": _place(word)} for word in words],
    },
    "pass": _only("pass"),
}
