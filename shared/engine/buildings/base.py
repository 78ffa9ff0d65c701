"""A building as printed, and what it answers when a phase asks.

The base answers "nothing special"; the few buildings that differ override one or two questions.
Only occupied buildings are asked, and of those only who overrides the question
(state.Game.answers). Sums of answers are sums: their order never matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from shared.engine.vocabulary import BuildingKey, Good

if TYPE_CHECKING:
    from shared.engine.state import Game, Player


class Kind(StrEnum):
    """The four kinds of Rules 2."""

    SMALL_PRODUCTION = "small_production"
    LARGE_PRODUCTION = "large_production"
    SMALL_VIOLET = "small_violet"
    LARGE_VIOLET = "large_violet"


_GREAT = Kind.LARGE_VIOLET


@dataclass(frozen=True, slots=True)
class PrivateShip:
    """A ship of a player's own: once a phase it takes barrels to the supply (Rules 4.6, 8.2)."""

    assorted: bool
    """Whether it takes any barrels of any kinds; else all of one kind."""
    capacity: int | None
    barrels_per_point: int


class Storage(NamedTuple):
    """Barrels kept at the end of the captain phase besides the single one (Rules 4.6)."""

    kinds: int = 0
    barrels: int = 0


@dataclass(frozen=True, slots=True)
class Building:
    """The printed numbers (Rules 2), and every question a phase may ask."""

    key: BuildingKey
    cost: int
    points: int
    column: int
    circles: int
    kind: Kind
    produces: Good | None = None

    @property
    def is_violet(self) -> bool:
        return self.kind in (Kind.SMALL_VIOLET, Kind.LARGE_VIOLET)

    @property
    def spaces(self) -> int:
        """City spaces it fills."""
        return 2 if self.kind is _GREAT else 1

    # Any role

    def privilege_factor(self) -> int:
        """By how much the privilege of its owner's role is multiplied."""
        return 1

    def houses_guests(self) -> bool:
        """Whether its colonists are guests."""
        return False

    # Settler

    def draws_plantation(self) -> bool:
        """Whether its owner may draw a face-down tile before his normal take."""
        return False

    def may_take_quarry(self) -> bool:
        """Whether its owner may take a quarry instead of a face-up plantation."""
        return False

    def may_plant_forest(self) -> bool:
        """Whether its owner may place a plantation as a forest."""
        return False

    def staffs_new_tile(self) -> bool:
        """Whether a tile its owner takes comes with a colonist."""
        return False

    # Builder

    def exchange_limit(self) -> int:
        """How many doubloons of a price may be made up by giving things back."""
        return 0

    def staffs_new_building(self) -> bool:
        """Whether a building its owner builds comes with a colonist."""
        return False

    def points_on_building(self, built: Building) -> int:
        """Victory points when its owner builds another building."""
        return 0

    # Craftsman

    def extra_goods(self, produced: dict[Good, int], owner: Player, game: Game) -> list[Good]:
        """The goods of which its owner, having produced these, takes one more barrel each."""
        return []

    def production_income(self, produced: dict[Good, int]) -> int:
        """Doubloons for what its owner has produced."""
        return 0

    # Trader

    def sale_bonus(self) -> int:
        """Doubloons added to a sale to the trading house."""
        return 0

    def may_sell_duplicate(self) -> bool:
        """Whether a kind the trading house already holds may be sold."""
        return False

    def is_private_market(self) -> bool:
        """Whether its owner may sell to it, whatever the trading house holds."""
        return False

    # Captain

    def points_on_arrival(self, goods: dict[Good, int]) -> int:
        """Victory points at its owner's first turn of the phase for the goods he holds."""
        return 0

    def doubloons_as_captain(self) -> int:
        """Doubloons at the start of the phase, if its owner is the captain."""
        return 0

    def points_per_load(self) -> int:
        """Victory points each time its owner loads."""
        return 0

    def doubloons_per_load(self) -> int:
        """Doubloons each time its owner loads."""
        return 0

    def private_ship(self) -> PrivateShip | None:
        """The ship its owner has besides the cargo ships."""
        return None

    def storage(self) -> Storage:
        """What its owner may keep after the loading."""
        return Storage()

    # The end

    def final_points(self, owner: Player, game: Game) -> int:
        """Bonus points at the end of the game (Rules 6)."""
        return 0
