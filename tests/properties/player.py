"""A player that makes any move the rules offer, with any arguments and flags they leave free."""

from __future__ import annotations

import random
from itertools import product
from typing import assert_never

from shared.engine import Game, legal
from shared.engine.commands import (
    Build,
    ChooseRole,
    Command,
    Exchange,
    Guest,
    LoadAssorted,
    MoveGuests,
    PlaceColonists,
    TakePlantation,
)
from shared.engine.open_moves import (
    Arrangement,
    AssortedLoad,
    ExchangeBuild,
    GuestMoves,
    OpenMove,
    open_moves,
)
from shared.engine.vocabulary import BuildingKey, Good, Role


def any_command(rng: random.Random, game: Game, seat: int) -> Command:
    """A command that must be accepted."""
    listed, free = legal(game, seat), open_moves(game, seat)
    chosen = rng.randrange(len(listed) + len(free))
    if chosen < len(listed):
        return _with_flags(rng, listed[chosen])
    return fill_in(rng, free[chosen - len(listed)])


def fill_in(rng: random.Random, move: OpenMove) -> Command:
    """Any of the commands that an open move stands for."""
    match move:
        case Arrangement():
            return _arrangement(rng, move)
        case AssortedLoad(goods=held):
            return _some(rng, held)
        case GuestMoves():
            places: list[int | BuildingKey] = [*move.island, *move.city_circles]
            count = rng.randint(1, min(move.guests, len(places)))
            return MoveGuests(tuple(Guest(place) for place in rng.sample(places, count)))
        case ExchangeBuild():
            return Build(move.building, rng.random() < 0.5, rng.choice(_exchanges(move)))
    assert_never(move)


def _with_flags(rng: random.Random, command: Command) -> Command:
    """Optional flags that are always allowed."""
    match command:
        case ChooseRole(role=Role.MAYOR):
            return ChooseRole(Role.MAYOR, rng.random() < 0.3)
        case TakePlantation(tile=tile):
            return TakePlantation(tile, decline_hospice=rng.random() < 0.3)
        case Build(building=building):
            return Build(building, decline_university=rng.random() < 0.3)
        case _:
            return command


def _arrangement(rng: random.Random, move: Arrangement) -> PlaceColonists:
    circles: list[int | BuildingKey] = [i for i, n in enumerate(move.island_circles) if n]
    for key, count in move.city_circles.items():
        circles += [key] * count
    rng.shuffle(circles)
    placed = dict.fromkeys(circles, 0)
    for circle in circles[: move.colonists]:
        placed[circle] += 1
    city = {key: placed[key] for key in move.city_circles if placed.get(key)}
    island = tuple([placed.get(index, 0) for index in range(len(move.island_circles))])
    return PlaceColonists(island, city)


def _some(rng: random.Random, held: dict[Good, int]) -> LoadAssorted:
    chosen = {good: rng.randint(0, barrels) for good, barrels in held.items()}
    return LoadAssorted(chosen if any(chosen.values()) else held)


def _exchanges(move: ExchangeBuild) -> list[Exchange]:
    """Everything that makes up for exactly what is missing."""
    points = (False, True) if move.victory_point else (False,)
    every = product((None, *move.colonists), (None, *move.goods), points)
    exchanges = [Exchange(colonist, good, point) for colonist, good, point in every]
    return [exchange for exchange in exchanges if exchange.worth() == move.missing]
