"""Which violet buildings are in play. Rules 8.1."""

from collections.abc import Sequence
from itertools import combinations

from shared.engine.buildings.catalog import (
    BASE_VIOLET,
    CATALOGS,
    NEVER_TOGETHER,
    PRINTED,
    Catalog,
)
from shared.engine.errors import OptionNotAllowed, SetNotAllowed
from shared.engine.options import Options
from shared.engine.turn import Draw
from shared.engine.vocabulary import BuildingKey

Pair = tuple[BuildingKey, BuildingKey]
TRIES = 1000
"""To draw a set without a forbidden pair. A handful does, where there are few pairs."""


def _by_cost(catalog: Catalog) -> dict[int, tuple[BuildingKey, ...]]:
    violet = [building for building in catalog.values() if building.is_violet]
    return {
        cost: tuple(building.key for building in violet if building.cost == cost)
        for cost in sorted({building.cost for building in violet})
    }


_BY_COST = {swapped: _by_cost(catalog) for swapped, catalog in CATALOGS.items()}
_ROOM = {
    swapped: {cost: sum(key in BASE_VIOLET for key in keys) for cost, keys in by_cost.items()}
    for swapped, by_cost in _BY_COST.items()
}


def violet_by_cost(options: Options) -> dict[int, tuple[BuildingKey, ...]]:
    """The violet buildings of each cost, by ascending cost and in table order."""
    return _BY_COST[options.swap_factory_university]


def room_per_cost(options: Options, picked: Sequence[BuildingKey] = ()) -> dict[int, int]:
    """How many more violet buildings of each cost will be in play: all told, as in the base set."""
    room = dict(_ROOM[options.swap_factory_university])
    for key in picked:
        room[CATALOGS[options.swap_factory_university][key].cost] -= 1
    return room


def offered(options: Options, drafted: Sequence[BuildingKey]) -> list[BuildingKey]:
    """The buildings that may be drafted next: every cost can still be filled afterwards.

    A cost that can be filled can be filled with any building that is in no pair.
    """
    paired = {key for pair in _pairs(options) for key in pair}
    by_cost = violet_by_cost(options)
    free = {
        key
        for cost, room in room_per_cost(options, drafted).items()
        if room
        for key in by_cost[cost]
        if key not in drafted
    }
    return [
        key
        for key in PRINTED
        if key in free and (key not in paired or can_complete(options, [*drafted, key]))
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
    """A random set, drawn again whole while it holds a forbidden pair, and the draws it took.

    Per cost, ascending, the buildings are picked one by one out of those left, in table order.
    Where the pairs leave so few sets that none comes up, it is one out of all these.
    """
    number, room = first_draw, room_per_cost(options)
    for _ in range(TRIES):
        picked: list[BuildingKey] = []
        for cost, keys in violet_by_cost(options).items():
            left = list(keys)
            for _ in range(room[cost]):
                picked.append(left.pop(draw(number, len(left))))
                number += 1
        if not _clash(options, picked):
            return _in_table_order(picked), number - first_draw
    sets = whole_sets(options)
    return _in_table_order(sets[draw(number, len(sets))]), number + 1 - first_draw


def whole_sets(options: Options) -> list[tuple[BuildingKey, ...]]:
    """Every set without a forbidden pair, the first costs varying slowest."""
    found: list[tuple[BuildingKey, ...]] = [()]
    room = room_per_cost(options)
    for cost, keys in violet_by_cost(options).items():
        choices = [keys for keys in combinations(keys, room[cost]) if not _clash(options, keys)]
        found = [
            (*begun, *chosen)
            for begun, barred in [(begun, _barred(options, begun)) for begun in found]
            for chosen in choices
            if barred.isdisjoint(chosen)
        ]
    return found


def can_complete(options: Options, picked: Sequence[BuildingKey]) -> bool:
    """Whether this beginning can be filled up to a whole set without a forbidden pair."""
    room = room_per_cost(options, picked)
    if _clash(options, picked) or min(room.values()) < 0:
        return False
    return _fill(options, picked, list(room.items()))


def _fill(options: Options, picked: Sequence[BuildingKey], room: list[tuple[int, int]]) -> bool:
    """Whether these costs can be filled, first with buildings in no pair: those bar nothing."""
    if not room:
        return True
    (cost, left), *further = room
    paired = {key for pair in _pairs(options) for key in pair}
    free = [key for key in violet_by_cost(options)[cost] if key not in picked]
    needed = left - sum(key not in paired for key in free)
    return any(
        not _clash(options, [*picked, *chosen]) and _fill(options, [*picked, *chosen], further)
        for chosen in combinations([key for key in free if key in paired], max(0, needed))
    )


def _check_whole(options: Options, keys: Sequence[BuildingKey]) -> None:
    if len(set(keys)) != len(keys):
        raise SetNotAllowed("A building is named twice.")
    for key in keys:
        if not PRINTED[key].is_violet:
            raise SetNotAllowed(f"{key} is a production building: those are always in play.")
    for cost, room in room_per_cost(options).items():
        named = sum(key in keys for key in violet_by_cost(options)[cost])
        if named != room:
            raise SetNotAllowed(
                f"Violet buildings of cost {cost}: a set holds {room}, this one {named}."
            )
    if pair := _clash(options, keys):
        raise SetNotAllowed(f"{pair[0]} and {pair[1]} are never in play together.")


def _in_table_order(keys: Sequence[BuildingKey]) -> tuple[BuildingKey, ...]:
    return tuple(key for key in PRINTED if key in keys)


def _barred(options: Options, keys: Sequence[BuildingKey]) -> set[BuildingKey]:
    """What is never together with one of these."""
    return {
        other
        for first, second in _pairs(options)
        for one, other in ((first, second), (second, first))
        if one in keys
    }


def _clash(options: Options, keys: Sequence[BuildingKey]) -> Pair | None:
    """A pair that these buildings hold both of."""
    return next((p for p in _pairs(options) if p[0] in keys and p[1] in keys), None)


def _pairs(options: Options) -> tuple[Pair, ...]:
    return (NEVER_TOGETHER, *options.never_together)
