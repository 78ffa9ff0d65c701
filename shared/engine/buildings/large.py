"""The large violet buildings of the base game: bonuses at the end. Rules 6."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.engine.buildings.base import Building, Kind

if TYPE_CHECKING:
    from shared.engine.state import Game, Player


@dataclass(frozen=True, slots=True)
class GuildHall(Building):
    """1 point per small, 2 per large production building."""

    def final_points(self, owner: "Player", game: "Game") -> int:
        worth = {Kind.SMALL_PRODUCTION: 1, Kind.LARGE_PRODUCTION: 2}
        return sum(worth.get(game.catalog[key].kind, 0) for key in owner.city)


@dataclass(frozen=True, slots=True)
class Residence(Building):
    """4 points for up to 9 filled island spaces, 5 for 10, 6 for 11, 7 for 12."""

    def final_points(self, owner: "Player", game: "Game") -> int:
        return max(4, len(owner.island) - 5)


@dataclass(frozen=True, slots=True)
class Fortress(Building):
    """1 point per 3 colonists, San Juan included."""

    def final_points(self, owner: "Player", game: "Game") -> int:
        return owner.colonists() // 3


@dataclass(frozen=True, slots=True)
class CustomsHouse(Building):
    """1 point per 4 victory points held."""

    def final_points(self, owner: "Player", game: "Game") -> int:
        return owner.victory_points // 4


@dataclass(frozen=True, slots=True)
class CityHall(Building):
    """1 point per violet building, itself included."""

    def final_points(self, owner: "Player", game: "Game") -> int:
        return sum(game.catalog[key].is_violet for key in owner.city)
