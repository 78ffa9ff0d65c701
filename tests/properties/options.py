"""Any options a game of so many players can have."""

from __future__ import annotations

import random
from typing import Literal

from shared.engine import RuleViolation, check_options, set_up
from shared.engine.buildings.catalog import PRINTED
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey
from shared.table.chance import Draws

VIOLET = [key for key, building in PRINTED.items() if building.is_violet]

KINDS: tuple[Literal["base", "random", "draft", "custom"], ...]
KINDS = ("base", "random", "draft", "custom")


def any_options(rng: random.Random, players: int) -> Options:
    """Every kind of set; a custom one is drawn at random beforehand."""
    kind = rng.choice(KINDS)
    swapped = rng.random() < 0.2
    options = Options(
        buildings=kind,
        custom_buildings=_custom(rng, swapped=swapped) if kind == "custom" else (),
        never_together=_pairs(rng) if kind in ("random", "draft") else (),
        hidden_points=rng.random() < 0.5,
        placement=rng.choice(("in_order", "in_order", "at_once")),
        points_supply=rng.choice(("standard", "126")) if players == 5 else "standard",
        corn_start=rng.choice(("equal", "one_less")),
        swap_factory_university=swapped,
    )
    try:
        check_options(players, options)
    except RuleViolation:
        return any_options(rng, players)
    return options


def _custom(rng: random.Random, *, swapped: bool) -> tuple[BuildingKey, ...]:
    options = Options(buildings="random", swap_factory_university=swapped)
    game = set_up(3, options, Draws(rng.randbytes(32))).game
    return tuple(key for key in game.supply.buildings if key in VIOLET)


def _pairs(rng: random.Random) -> tuple[tuple[BuildingKey, BuildingKey], ...]:
    pairs = [rng.sample(VIOLET, 2) for _ in range(rng.randint(0, 2))]
    return tuple((first, second) for first, second in pairs)
