"""The buildings of Expansion I. Rules 8.2."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.engine.buildings.base import Building, Kind, PrivateShip, Storage
from shared.engine.vocabulary import Good

if TYPE_CHECKING:
    from shared.engine.state import Game, Player


@dataclass(frozen=True, slots=True)
class Aqueduct(Building):
    """One more indigo for who made some in an indigo_plant, one more sugar with a sugar_mill."""

    def extra_goods(self, produced: dict[Good, int], owner: "Player", game: "Game") -> list[Good]:
        large = {
            game.catalog[key].produces
            for key, colonists in owner.city.items()
            if colonists and game.catalog[key].kind is Kind.LARGE_PRODUCTION
        }
        return [g for g in (Good.INDIGO, Good.SUGAR) if produced.get(g) and g in large]


@dataclass(frozen=True, slots=True)
class ForestHouse(Building):
    """Its owner may place any plantation, not a quarry, face down as a forest."""

    def may_plant_forest(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class BlackMarket(Building):
    """Up to 3 missing doubloons are made up by a colonist, a good, a victory point given back."""

    def exchange_limit(self) -> int:
        return 3


@dataclass(frozen=True, slots=True)
class Storehouse(Building):
    """3 more barrels of any kinds are kept."""

    def storage(self) -> Storage:
        return Storage(barrels=3)


@dataclass(frozen=True, slots=True)
class Guesthouse(Building):
    """Its colonists are guests, who may be moved in any phase but the mayor's."""

    def houses_guests(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class TradingPost(Building):
    """Its owner may sell any good to it instead of the trading house."""

    def is_private_market(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Church(Building):
    """1 point for building a column 2 or 3 building, 2 for a large one."""

    def points_on_building(self, built: Building) -> int:
        return (0, 0, 1, 1, 2)[built.column]


@dataclass(frozen=True, slots=True)
class SmallWharf(Building):
    """Once a phase any barrels go to the supply for a point per 2 barrels."""

    def private_ship(self) -> PrivateShip:
        return PrivateShip(assorted=True, capacity=None, barrels_per_point=2)


@dataclass(frozen=True, slots=True)
class Lighthouse(Building):
    """A doubloon each time its owner loads, one more at the start for the captain."""

    def doubloons_per_load(self) -> int:
        return 1

    def doubloons_as_captain(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class SpecialtyFactory(Building):
    """Barrels of the kind other than corn most produced, less one, in doubloons."""

    def production_income(self, produced: dict[Good, int]) -> int:
        most = max((n for good, n in produced.items() if good is not Good.CORN), default=0)
        return max(0, most - 1)


@dataclass(frozen=True, slots=True)
class Library(Building):
    """The privilege of the role its owner takes counts twice."""

    def privilege_factor(self) -> int:
        return 2


@dataclass(frozen=True, slots=True)
class UnionHall(Building):
    """At its owner's first turn of the captain phase a point for each pair of the same good."""

    def points_on_arrival(self, goods: dict[Good, int]) -> int:
        return sum(barrels // 2 for barrels in goods.values())


@dataclass(frozen=True, slots=True)
class Cloister(Building):
    """1, 2, 3, 4 sets of three identical island tiles give 1, 3, 6, 10 points."""

    def final_points(self, owner: "Player", game: "Game") -> int:
        tiles = [space.tile for space in owner.island]
        sets = sum(tiles.count(tile) // 3 for tile in set(tiles))
        return (0, 1, 3, 6, 10)[sets]
