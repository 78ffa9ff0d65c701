"""Which violet buildings are in play. Rules 8.1."""

from collections.abc import Iterable, Sequence
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
_Apart = dict[BuildingKey, set[BuildingKey]]
_Choice = tuple[tuple[BuildingKey, ...], frozenset[BuildingKey]]
"""Buildings of one cost, and what is never together with one of them."""
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
    found: list[_Choice] = [((), frozenset())]
    for choices in _choices(options, ()):
        found = [
            ((*begun, *chosen), barred | bars)
            for begun, barred in found
            for chosen, bars in choices
            if barred.isdisjoint(chosen)
        ]
    return [keys for keys, _ in found]


def can_complete(options: Options, picked: Sequence[BuildingKey]) -> bool:
    """Whether this beginning can be filled up to a whole set without a forbidden pair."""
    if _clash(options, picked) or min(room_per_cost(options, picked).values()) < 0:
        return False
    return _fits(_barred(_apart(options), picked), _choices(options, picked))


def _choices(options: Options, picked: Sequence[BuildingKey]) -> list[list[_Choice]]:
    """Per cost, ascending, the ways to fill it up beside what is picked."""
    apart, by_cost = _apart(options), violet_by_cost(options)
    found: list[list[_Choice]] = []
    for cost, room in room_per_cost(options, picked).items():
        ways = combinations([key for key in by_cost[cost] if key not in picked], room)
        barring = [(keys, _barred(apart, keys)) for keys in ways]
        found.append([(keys, barred) for keys, barred in barring if barred.isdisjoint(keys)])
    return found


def _fits(barred: frozenset[BuildingKey], costs: Sequence[Sequence[_Choice]]) -> bool:
    """Whether each cost has a choice that bars none of the others, tried where fewest are left."""
    left = [[way for way in choices if barred.isdisjoint(way[0])] for choices in costs]
    if not all(left):
        return False
    first, *others = sorted(left, key=len)
    return not others or any(_fits(bars, others) for _, bars in first)


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


def _barred(apart: _Apart, keys: Iterable[BuildingKey]) -> frozenset[BuildingKey]:
    return frozenset(other for key in keys for other in apart[key])


def _apart(options: Options) -> _Apart:
    """With each violet building those that are never together with it."""
    apart = {key: set[BuildingKey]() for keys in violet_by_cost(options).values() for key in keys}
    for first, second in _pairs(options):
        apart[first].add(second)
        apart[second].add(first)
    return apart


def _clash(options: Options, keys: Sequence[BuildingKey]) -> Pair | None:
    """A pair that these buildings hold both of."""
    return next((p for p in _pairs(options) if p[0] in keys and p[1] in keys), None)


def _pairs(options: Options) -> tuple[Pair, ...]:
    return (NEVER_TOGETHER, *options.never_together)
