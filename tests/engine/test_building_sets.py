"""Building sets: what is offered can be completed, and nothing else is refused. Rules 8.1, 10."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest
from msgspec.structs import replace

from shared.engine import RuleViolation, check_options, set_up
from shared.engine.building_sets import (
    TRIES,
    can_complete,
    draw_set,
    offered,
    room_per_cost,
    violet_by_cost,
    whole_sets,
)
from shared.engine.buildings.catalog import BASE_VIOLET, NEVER_TOGETHER, PRINTED
from shared.engine.errors import OptionNotAllowed, SetNotAllowed
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey as Key
from shared.table.chance import Draws

BY_COST = violet_by_cost(Options())
LARGE = BY_COST[10]


def filled(costs: list[int]) -> list[set[Key]]:
    """Every way to fill these costs."""
    room = room_per_cost(Options())
    choices = [list(combinations(BY_COST[cost], room[cost])) for cost in costs]
    return [{key for part in parts for key in part} for parts in product(*choices)]


def test_each_cost_offers_twice_the_small_and_seven_large_buildings() -> None:
    room = room_per_cost(Options())
    assert room == {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}
    for cost, keys in BY_COST.items():
        assert len(keys) == (7 if cost == 10 else 2 * room[cost])


def test_swapped_costs_move_the_factory_and_the_university() -> None:
    swapped = violet_by_cost(Options(swap_factory_university=True))
    assert Key.FACTORY in swapped[8]
    assert Key.UNIVERSITY in swapped[7]
    assert room_per_cost(Options(swap_factory_university=True)) == room_per_cost(Options())


@pytest.mark.parametrize("seed", range(60))
def test_a_beginning_can_be_completed_just_when_a_whole_set_holds_it(seed: int) -> None:
    rng = random.Random(seed)
    costs = rng.sample(sorted(BY_COST), 3)
    keys = [key for cost in costs for key in BY_COST[cost]]
    drawn = [rng.sample(keys, 2) for _ in range(rng.randint(0, 9))]
    pairs = tuple((first, second) for first, second in drawn)
    options = Options(buildings="draft", never_together=pairs)
    picked = rng.sample(keys, rng.randint(0, 3))
    possible = any(
        set(picked) <= whole and not any({*pair} <= whole for pair in (NEVER_TOGETHER, *pairs))
        for whole in filled(costs)
    )
    assert can_complete(options, picked) == possible


@pytest.mark.parametrize("seed", range(20))
def test_a_draft_never_gets_stuck(seed: int) -> None:
    rng = random.Random(seed)
    options = Options(
        buildings="draft",
        never_together=((Key.HACIENDA, Key.FOREST_HOUSE), (Key.STATUE, Key.CLOISTER)),
        swap_factory_university=bool(seed % 2),
    )
    drafted: list[Key] = []
    while choices := offered(options, drafted):
        drafted.append(rng.choice(choices))
    assert len(drafted) == len(BASE_VIOLET)
    check_options(3, replace(options, buildings="custom", custom_buildings=tuple(drafted)))


def test_a_random_set_is_a_set_that_could_be_chosen() -> None:
    pairs = ((Key.WHARF, Key.HARBOR), (Key.STATUE, Key.CLOISTER))
    options = Options(buildings="random", never_together=pairs)
    for seed in range(30):
        game = set_up(3, options, Draws(bytes([seed]))).game
        violet = tuple(key for key in game.supply.buildings if PRINTED[key].is_violet)
        check_options(3, Options("custom", violet, pairs))
        assert game.draws > len(violet)


def test_the_sets_that_pairs_leave_are_all_there_are() -> None:
    rng = random.Random(1)
    options = Options("random", never_together=some_pairs(rng, 20))
    allowed = [
        whole
        for whole in filled(sorted(BY_COST))
        if not any({*pair} <= whole for pair in (NEVER_TOGETHER, *options.never_together))
    ]
    assert [set(keys) for keys in whole_sets(options)] == allowed


def test_where_pairs_leave_hardly_a_set_one_of_these_is_drawn() -> None:
    rng, left = random.Random(1), 0
    while not 0 < left < 5:
        options = Options("random", never_together=some_pairs(rng, 30))
        left = len(whole_sets(options))
    sets = {tuple(sorted(keys)) for keys in whole_sets(options)}
    drawn = set()
    for seed in range(20):
        keys, draws = draw_set(options, Draws(bytes([seed])), 3)
        assert draws == 1 + TRIES * len(BASE_VIOLET)
        drawn.add(tuple(sorted(keys)))
    assert drawn == sets


def some_pairs(rng: random.Random, count: int) -> tuple[tuple[Key, Key], ...]:
    violet = [key for keys in BY_COST.values() for key in keys]
    return tuple(rng.sample(list(combinations(violet, 2)), count))


def test_pairs_that_leave_a_cost_unfillable_are_refused() -> None:
    pairs = tuple((LARGE[2 * i], LARGE[2 * i + 1]) for i in range(3))
    for kind in ("random", "draft"):
        check_options(3, Options(kind, never_together=pairs[:2]))
        with pytest.raises(SetNotAllowed):
            check_options(3, Options(kind, never_together=pairs))


def test_that_no_set_is_left_is_found_out_at_once() -> None:
    """Trying all beginnings would take a minute: what cannot be filled is the last cost."""
    alone = [keys for keys in BY_COST.values() if len(keys) == 2]
    last = [(key, LARGE[6]) for keys in BY_COST.values() if len(keys) == 4 for key in keys]
    pairs = [(LARGE[2 * i], LARGE[2 * i + 1]) for i in range(3)] + [(a, b) for a, b in alone] + last
    options = Options("draft", never_together=tuple(pairs + pairs[:1] * 600))
    with pytest.raises(SetNotAllowed):
        check_options(3, options)


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        (Options(never_together=((Key.WHARF, Key.HARBOR),)), SetNotAllowed),
        (Options(never_together=((Key.WHARF, Key.WHARF),)), OptionNotAllowed),
        (Options(never_together=((Key.WHARF, Key.SUGAR_MILL),)), OptionNotAllowed),
        (Options(custom_buildings=BASE_VIOLET), OptionNotAllowed),
        (Options("custom"), SetNotAllowed),
        (Options("custom", (*BASE_VIOLET, Key.WHARF)), SetNotAllowed),
        (Options("custom", (*BASE_VIOLET, Key.STATUE)), SetNotAllowed),
        (Options("custom", (*BASE_VIOLET, Key.SUGAR_MILL)), SetNotAllowed),
        (Options("custom", BASE_VIOLET, ((Key.WHARF, Key.HARBOR),)), SetNotAllowed),
    ],
)
def test_what_makes_no_set_is_refused(options: Options, refusal: type[RuleViolation]) -> None:
    with pytest.raises(refusal):
        check_options(3, options)
    with pytest.raises(refusal):
        set_up(3, options, Draws(b""))


def test_a_pair_that_the_base_set_does_not_hold_is_no_matter() -> None:
    check_options(3, Options(never_together=((Key.WHARF, Key.UNION_HALL),)))
