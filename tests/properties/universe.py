"""Commands of every kind, sensible or not."""

from __future__ import annotations

import random

from shared.engine.commands import (
    Build,
    ChooseBuilding,
    ChooseRole,
    Command,
    DrawPlantation,
    Exchange,
    Guest,
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
from shared.engine.vocabulary import BuildingKey, Good, Role, Tile

SHIPS: tuple[int | BuildingKey, ...] = (
    *range(-1, 5),
    BuildingKey.WHARF,
    BuildingKey.SMALL_WHARF,
    BuildingKey.HARBOR,
)
MARKETS = (None, BuildingKey.TRADING_POST, BuildingKey.SMALL_MARKET)
LISTED: list[Command] = [
    *map(ChooseRole, Role),
    *map(ChooseBuilding, BuildingKey),
    *map(TakePlantation, Tile),
    DrawPlantation(),
    PlaceDrawnPlantation(),
    *map(Build, BuildingKey),
    *map(TakeExtraGood, Good),
    *(SellGood(good, to) for good in Good for to in MARKETS),
    *(LoadGoods(good, ship) for good in Good for ship in SHIPS),
    Pass(),
]
"""`legal` lists these just when they are accepted, but for buildings that need an exchange."""

PLACES: tuple[int | str, ...] = (-1, *range(13), "san_juan", "nowhere", *BuildingKey)


def unlisted(rng: random.Random) -> Command:
    """A command with flags or many arguments, nearly always one that must be refused."""
    goods = {good: rng.randint(-1, 4) for good in rng.sample(list(Good), rng.randint(0, 3))}
    built = rng.sample(list(BuildingKey), rng.randint(0, 3))
    city = {key: rng.randint(-1, 3) for key in built}
    places = [place for place in PLACES if isinstance(place, int | BuildingKey)]
    exchange = Exchange(rng.choice(PLACES), rng.choice((None, *Good)), rng.random() < 0.5)
    return rng.choice(
        (
            ChooseRole(rng.choice(list(Role)), decline_privilege=True),
            TakePlantation(rng.choice(list(Tile)), rng.random() < 0.5, as_forest=True),
            PlaceDrawnPlantation(as_forest=True),
            PlaceColonists(tuple(rng.randint(-1, 2) for _ in range(rng.randint(0, 13))), city),
            Build(rng.choice(list(BuildingKey)), rng.random() < 0.5, exchange),
            LoadAssorted(goods),
            StoreGoods(tuple(rng.choices(list(Good), k=rng.randint(0, 3))), goods),
            MoveGuests(tuple(map(Guest, rng.choices(places, k=rng.randint(0, 3))))),
        )
    )
