"""The printed table: 23 + 14 buildings, their numbers and their copies. Rules 2."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import TypeVar

from shared.engine.buildings.base import Building, Kind
from shared.engine.buildings.expansion import (
    Aqueduct,
    BlackMarket,
    Church,
    Cloister,
    ForestHouse,
    Guesthouse,
    Library,
    Lighthouse,
    SmallWharf,
    SpecialtyFactory,
    Storehouse,
    TradingPost,
    UnionHall,
)
from shared.engine.buildings.large import CityHall, CustomsHouse, Fortress, GuildHall, Residence
from shared.engine.buildings.small import (
    ConstructionHut,
    Factory,
    Hacienda,
    Harbor,
    Hospice,
    Market,
    Office,
    University,
    Warehouse,
    Wharf,
)
from shared.engine.vocabulary import BuildingKey as Key
from shared.engine.vocabulary import Good

Catalog = Mapping[Key, Building]

SMALL, LARGE = Kind.SMALL_PRODUCTION, Kind.LARGE_PRODUCTION
VIOLET, GREAT = Kind.SMALL_VIOLET, Kind.LARGE_VIOLET

# key, cost, points, column, circles, kind, and what the building adds
_BASE: tuple[Building, ...] = (
    Building(Key.SMALL_INDIGO_PLANT, 1, 1, 1, 1, SMALL, Good.INDIGO),
    Building(Key.SMALL_SUGAR_MILL, 2, 1, 1, 1, SMALL, Good.SUGAR),
    Building(Key.INDIGO_PLANT, 3, 2, 2, 3, LARGE, Good.INDIGO),
    Building(Key.SUGAR_MILL, 4, 2, 2, 3, LARGE, Good.SUGAR),
    Building(Key.TOBACCO_STORAGE, 5, 3, 3, 3, LARGE, Good.TOBACCO),
    Building(Key.COFFEE_ROASTER, 6, 3, 3, 2, LARGE, Good.COFFEE),
    Market(Key.SMALL_MARKET, 1, 1, 1, 1, VIOLET, bonus=1),
    Hacienda(Key.HACIENDA, 2, 1, 1, 1, VIOLET),
    ConstructionHut(Key.CONSTRUCTION_HUT, 2, 1, 1, 1, VIOLET),
    Warehouse(Key.SMALL_WAREHOUSE, 3, 1, 1, 1, VIOLET, kinds=1),
    Hospice(Key.HOSPICE, 4, 2, 2, 1, VIOLET),
    Office(Key.OFFICE, 5, 2, 2, 1, VIOLET),
    Market(Key.LARGE_MARKET, 5, 2, 2, 1, VIOLET, bonus=2),
    Warehouse(Key.LARGE_WAREHOUSE, 6, 2, 2, 1, VIOLET, kinds=2),
    Factory(Key.FACTORY, 7, 3, 3, 1, VIOLET),
    University(Key.UNIVERSITY, 8, 3, 3, 1, VIOLET),
    Harbor(Key.HARBOR, 8, 3, 3, 1, VIOLET),
    Wharf(Key.WHARF, 9, 3, 3, 1, VIOLET),
    GuildHall(Key.GUILD_HALL, 10, 4, 4, 1, GREAT),
    Residence(Key.RESIDENCE, 10, 4, 4, 1, GREAT),
    Fortress(Key.FORTRESS, 10, 4, 4, 1, GREAT),
    CustomsHouse(Key.CUSTOMS_HOUSE, 10, 4, 4, 1, GREAT),
    CityHall(Key.CITY_HALL, 10, 4, 4, 1, GREAT),
)

_EXPANSION: tuple[Building, ...] = (
    Aqueduct(Key.AQUEDUCT, 1, 1, 1, 1, VIOLET),
    ForestHouse(Key.FOREST_HOUSE, 2, 1, 1, 1, VIOLET),
    BlackMarket(Key.BLACK_MARKET, 2, 1, 1, 1, VIOLET),
    Storehouse(Key.STOREHOUSE, 3, 1, 1, 1, VIOLET),
    Guesthouse(Key.GUESTHOUSE, 4, 2, 2, 2, VIOLET),
    TradingPost(Key.TRADING_POST, 5, 2, 2, 1, VIOLET),
    Church(Key.CHURCH, 5, 2, 2, 1, VIOLET),
    SmallWharf(Key.SMALL_WHARF, 6, 2, 2, 1, VIOLET),
    Lighthouse(Key.LIGHTHOUSE, 7, 3, 3, 1, VIOLET),
    SpecialtyFactory(Key.SPECIALTY_FACTORY, 8, 3, 3, 1, VIOLET),
    Library(Key.LIBRARY, 8, 3, 3, 1, VIOLET),
    UnionHall(Key.UNION_HALL, 9, 3, 3, 1, VIOLET),
    Cloister(Key.CLOISTER, 10, 4, 4, 1, GREAT),
    Building(Key.STATUE, 10, 8, 4, 0, GREAT),
)

PRINTED: Catalog = MappingProxyType({b.key: b for b in _BASE + _EXPANSION})
"""All 37 buildings with their printed costs."""

SWAPPED: Catalog = MappingProxyType(
    {
        **PRINTED,
        Key.FACTORY: replace(PRINTED[Key.FACTORY], cost=8),
        Key.UNIVERSITY: replace(PRINTED[Key.UNIVERSITY], cost=7),
    }
)
"""The same under the option swap_factory_university (Rules 10)."""

CATALOGS: Mapping[bool, Catalog] = {False: PRINTED, True: SWAPPED}
"""By that option."""

T = TypeVar("T")


@cache
def answering(*questions: Callable[..., object]) -> frozenset[Key]:
    """The buildings that answer one of these questions otherwise than most do."""
    return frozenset(
        key
        for key, building in PRINTED.items()
        if any(getattr(type(building), q.__name__) is not q for q in questions)
    )


@cache
def special_answers(question: Callable[[Building], T]) -> tuple[tuple[Key, T], ...]:
    """What those answer to a question that depends on nothing but the building.

    On its cost, which an option changes, nothing depends either.
    """
    return tuple(
        (key, getattr(building, question.__name__)())
        for key, building in PRINTED.items()
        if key in answering(question)
    )


(GUEST_HOUSE,) = answering(Building.houses_guests)
"""The one building for guests: asked about after every move."""

TWO_SPACES = frozenset(key for key, building in PRINTED.items() if building.spaces == 2)
PRODUCERS: Mapping[Good, tuple[Key, ...]] = {
    good: tuple(key for key, building in PRINTED.items() if building.produces is good)
    for good in Good
}

BASE_VIOLET: tuple[Key, ...] = tuple(b.key for b in _BASE if b.is_violet)
PRODUCTION: tuple[Key, ...] = tuple(b.key for b in _BASE if not b.is_violet)

NEVER_TOGETHER: tuple[Key, Key] = (Key.OFFICE, Key.TRADING_POST)
"""The pair that no set holds both of (Rules 8.1)."""

_COPIES = {SMALL: 4, LARGE: 3, VIOLET: 2, GREAT: 1}
_COPIES_FOR_TWO = {SMALL: 2, LARGE: 2, VIOLET: 1, GREAT: 1}


def copies(keys: Iterable[Key], players: int) -> dict[Key, int]:
    """How many copies of each building the supply holds at the start (Rules 2, 9)."""
    per_kind = _COPIES_FOR_TWO if players == 2 else _COPIES
    return {key: per_kind[PRINTED[key].kind] for key in keys}
