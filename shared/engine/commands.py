"""What a player may want: frozen commands, imperative, with the least data."""

from msgspec import Struct

from shared.engine.vocabulary import BuildingKey, Good, Role, Tile


class Command(
    Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, gc=False
):
    """Base of all commands; `type` is its name on the wire. The seat is named beside it."""


class ChooseBuilding(Command, frozen=True, tag="choose_building"):
    """Draft: pick a building that will be in play (Rules 8.1)."""

    building: BuildingKey


class ChooseRole(Command, frozen=True, tag="choose_role"):
    """Take a role still available (Rules 3); a mayor may decline his extra colonist (Rules 7)."""

    role: Role
    decline_privilege: bool = False


class TakePlantation(Command, frozen=True, tag="take_plantation"):
    """Take a face-up plantation or a quarry (Rules 4.1)."""

    tile: Tile
    decline_hospice: bool = False
    as_forest: bool = False


class DrawPlantation(Command, frozen=True, tag="draw_plantation"):
    """Draw the top face-down tile before the normal take (Rules 4.1, hacienda)."""


class PlaceDrawnPlantation(Command, frozen=True, tag="place_drawn_plantation"):
    """Place the tile just drawn, perhaps as a forest (Rules 8.2, forest house)."""

    as_forest: bool = False


class PlaceColonists(Command, frozen=True, tag="place_colonists"):
    """The whole arrangement of a player's colonists; the rest goes to San Juan (Rules 4.2)."""

    island: tuple[int, ...]
    """Colonists per tile, in the order of the tiles; a forest has 0."""
    city: dict[BuildingKey, int]
    """Colonists per building; one left out has 0."""


class Exchange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is given back to make up a shortfall, at most one of each (Rules 8.2, black market)."""

    colonist: int | str | None = None
    good: Good | None = None
    victory_point: bool = False

    def worth(self) -> int:
        """Doubloons that it makes up for."""
        return (self.colonist is not None) + (self.good is not None) + self.victory_point


class Build(Command, frozen=True, tag="build"):
    """Build one building (Rules 4.3)."""

    building: BuildingKey
    decline_university: bool = False
    exchange: Exchange | None = None


class TakeExtraGood(Command, frozen=True, tag="take_extra_good"):
    """The craftsman's privilege, one good a move (Rules 4.4)."""

    good: Good


class SellGood(Command, frozen=True, tag="sell_good"):
    """Sell one good to the trading house, or to a private market of one's own (Rules 4.5, 8.2)."""

    good: Good
    to: BuildingKey | None = None


class LoadGoods(Command, frozen=True, tag="load_goods"):
    """Load one kind on a cargo ship, or ship all of it with a private ship (Rules 4.6)."""

    good: Good
    ship: int | BuildingKey


class LoadAssorted(Command, frozen=True, tag="load_small_wharf"):
    """Ship any barrels with the private ship that takes several kinds (Rules 8.2)."""

    goods: dict[Good, int]


class StoreGoods(Command, frozen=True, tag="store_goods"):
    """Keep these kinds whole and these single barrels; the rest goes to the supply (Rules 4.6)."""

    warehouses: tuple[Good, ...] = ()
    barrels: dict[Good, int] = {}


class Guest(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a guest goes: an island index or a building."""

    to: int | BuildingKey


class MoveGuests(Command, frozen=True, tag="move_guests"):
    """Move guests, one per place named (Rules 8.2, guesthouse)."""

    guests: tuple[Guest, ...]


class Pass(Command, frozen=True, tag="pass"):
    """Decline what is optional (Rules 3)."""


AnyCommand = (
    ChooseBuilding
    | ChooseRole
    | TakePlantation
    | DrawPlantation
    | PlaceDrawnPlantation
    | PlaceColonists
    | Build
    | TakeExtraGood
    | SellGood
    | LoadGoods
    | LoadAssorted
    | StoreGoods
    | MoveGuests
    | Pass
)
