"""The options a game is created with. Rules 10."""

from typing import Literal

from msgspec import Struct

from shared.engine.vocabulary import BuildingKey


class Options(Struct, frozen=True, omit_defaults=False):
    """One value per row of the table in Rules 10; the defaults are the first value of each row."""

    buildings: Literal["base", "random", "draft", "custom"] = "base"
    custom_buildings: tuple[BuildingKey, ...] = ()
    """The violet buildings of a custom set; empty for every other set."""
    never_together: tuple[tuple[BuildingKey, BuildingKey], ...] = ()
    """Further pairs of which a set holds one at most; office and trading post always are one."""
    hidden_points: bool = True
    placement: Literal["in_order", "at_once"] = "in_order"
    points_supply: Literal["standard", "126"] = "standard"
    corn_start: Literal["equal", "one_less"] = "equal"
    swap_factory_university: bool = False
    seating: Literal["random", "as_joined"] = "random"
