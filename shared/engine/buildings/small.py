"""The small violet buildings of the base game. Rules 2 and 4."""

from dataclasses import dataclass

from shared.engine.buildings.base import Building, PrivateShip, Storage
from shared.engine.vocabulary import Good


@dataclass(frozen=True, slots=True)
class Market(Building):
    """Rules 4.5: a bonus on every sale to the trading house, corn included."""

    bonus: int = 1

    def sale_bonus(self) -> int:
        return self.bonus


@dataclass(frozen=True, slots=True)
class Hacienda(Building):
    """Rules 4.1: before his normal take its owner may draw the top face-down tile."""

    def draws_plantation(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class ConstructionHut(Building):
    """Rules 4.1: its owner may take a quarry instead of a face-up plantation."""

    def may_take_quarry(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Warehouse(Building):
    """Rules 4.6: all barrels of so many kinds are kept."""

    kinds: int = 1

    def storage(self) -> Storage:
        return Storage(kinds=self.kinds)


@dataclass(frozen=True, slots=True)
class Hospice(Building):
    """Rules 4.1: a tile its owner takes may come with a colonist."""

    def staffs_new_tile(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Office(Building):
    """Rules 4.5: its owner may sell a kind the trading house already holds."""

    def may_sell_duplicate(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Factory(Building):
    """Rules 4.4: doubloons for the number of kinds really produced."""

    def production_income(self, produced: dict[Good, int]) -> int:
        kinds = sum(1 for barrels in produced.values() if barrels)
        return (0, 0, 1, 2, 3, 5)[kinds]


@dataclass(frozen=True, slots=True)
class University(Building):
    """Rules 4.3: a building its owner builds may come with a colonist."""

    def staffs_new_building(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Harbor(Building):
    """Rules 4.6: a point each time its owner loads."""

    def points_per_load(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class Wharf(Building):
    """Rules 4.6: once a phase all barrels of a kind, up to 11, go to the supply, a point each."""

    def private_ship(self) -> PrivateShip:
        return PrivateShip(assorted=False, capacity=11, barrels_per_point=1)
