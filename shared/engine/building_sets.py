"""Which violet buildings are in play. Rules 8.1."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from shared.engine.buildings.catalog import (
    BASE_VIOLET,
    NEVER_TOGETHER,
    PRINTED,
    catalog_for,
)
from shared.engine.errors import OptionNotAllowed, SetNotAllowed
from shared.engine.options import Options
from shared.engine.turn import Draw
from shared.engine.vocabulary import BuildingKey

Pair = tuple[BuildingKey, BuildingKey]


def room_per_cost(options: Options) -> dict[int, int]:
    """How many violet buildings of each cost are in play: as many as in the base set."""
    catalog = catalog_for(swapped=options.swap_factory_university)
    room: dict[int, int] = {}
    for key in BASE_VIOLET:
        room[catalog[key].cost] = room.get(catalog[key].cost, 0) + 1
    return room


def offered(options: Options, drafted: Sequence[BuildingKey]) -> list[BuildingKey]:
    """The buildings that may be drafted next: every cost can still be filled afterwards."""
    return [
        key
        for key, building in PRINTED.items()
        if building.is_violet and key not in drafted and can_complete(options, [*drafted, key])
    ]


def check(options: Options) -> None:
    """Raise `SetNotAllowed` or `OptionNotAllowed` if no set can be made of these options."""
    if options.buildings != "custom" and options.custom_buildings:
        raise OptionNotAllowed("Only a custom set lists its buildings.")
    for first, second in options.never_together:
        if first == second or not (PRINTED[first].is_violet and PRINTED[second].is_violet):
            raise OptionNotAllowed(f"{first} and {second} are not a pair of violet buildings.")
    match options.buildings:
        case "base":
            _check_whole(options, BASE_VIOLET)
        case "custom":
            _check_whole(options, options.custom_buildings)
        case "random" | "draft":
            if not can_complete(options, []):
                raise SetNotAllowed("The pairs that are never together leave a cost unfilled.")


def draw_set(options: Options, draw: Draw, first_draw: int) -> tuple[tuple[BuildingKey, ...], int]:
    """A random set and the number of draws it took; drawn again whole while it holds a forbidden pair.

    Per cost in ascending order the buildings are picked one by one out of those left, in table order.
    """
    number = first_draw
    while True:
        picked: list[BuildingKey] = []
        for cost, room in sorted(room_per_cost(options).items()):
            left = _of_cost(options, cost)
            for _ in range(room):
                picked.append(left.pop(draw(number, len(left))))
                number += 1
        if not list(_clashes(options, picked)):
            return tuple(key for key in PRINTED if key in picked), number - first_draw


def can_complete(options: Options, picked: Sequence[BuildingKey]) -> bool:
    """Whether this beginning can be filled up to a whole set without a forbidden pair."""
    if any(_clashes(options, picked)):
        return False
    room = room_per_cost(options)
    catalog = catalog_for(swapped=options.swap_factory_university)
    for key in picked:
        room[catalog[key].cost] -= 1
    if any(left < 0 for left in room.values()):
        return False
    return _fill(options, list(picked), sorted(room.items()))


def _fill(options: Options, picked: list[BuildingKey], room: list[tuple[int, int]]) -> bool:
    if not room:
        return True
    (cost, left), *further = room
    free = [
        key
        for key in _of_cost(options, cost)
        if key not in picked and not any(_clashes(options, [*picked, key]))
    ]
    return any(
        not any(_clashes(options, [*picked, *chosen]))
        and _fill(options, [*picked, *chosen], further)
        for chosen in combinations(free, left)
    )


def _check_whole(options: Options, keys: Sequence[BuildingKey]) -> None:
    if len(set(keys)) != len(keys):
        raise SetNotAllowed("A building is named twice.")
    catalog = catalog_for(swapped=options.swap_factory_university)
    for key in keys:
        if not catalog[key].is_violet:
            raise SetNotAllowed(f"{key} is a production building: those are always in play.")
    for cost, room in room_per_cost(options).items():
        named = sum(catalog[key].cost == cost for key in keys)
        if named != room:
            raise SetNotAllowed(f"{room} buildings of cost {cost} are in play, not {named}.")
    for first, second in _clashes(options, keys):
        raise SetNotAllowed(f"{first} and {second} are never in play together.")


def _clashes(options: Options, keys: Sequence[BuildingKey]) -> Iterator[Pair]:
    for pair in (NEVER_TOGETHER, *options.never_together):
        if pair[0] in keys and pair[1] in keys:
            yield pair


def _of_cost(options: Options, cost: int) -> list[BuildingKey]:
    catalog = catalog_for(swapped=options.swap_factory_university)
    return [key for key, b in catalog.items() if b.is_violet and b.cost == cost]
