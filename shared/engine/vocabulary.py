"""The words of the game; each value is its name on the wire."""

from enum import StrEnum, unique


@unique
class Good(StrEnum):
    """The five goods (Rules 1), cheapest first (Rules 4.5)."""

    CORN = "corn"
    INDIGO = "indigo"
    SUGAR = "sugar"
    TOBACCO = "tobacco"
    COFFEE = "coffee"


ALL_GOODS = tuple(Good)
"""The same to go through in play, twenty times as fast as the class."""


@unique
class Tile(StrEnum):
    """What can lie on an island space (Rules 1, 8.2)."""

    CORN = "corn"
    INDIGO = "indigo"
    SUGAR = "sugar"
    TOBACCO = "tobacco"
    COFFEE = "coffee"
    QUARRY = "quarry"
    FOREST = "forest"


@unique
class Role(StrEnum):
    """The roles in the order in which the rules list them (Rules 1)."""

    SETTLER = "settler"
    MAYOR = "mayor"
    BUILDER = "builder"
    CRAFTSMAN = "craftsman"
    TRADER = "trader"
    CAPTAIN = "captain"
    PROSPECTOR = "prospector"
    PROSPECTOR_2 = "prospector_2"


@unique
class Decision(StrEnum):
    """What a seat can be asked for."""

    CHOOSE_BUILDING = "choose_building"
    CHOOSE_ROLE = "choose_role"
    TAKE_PLANTATION = "take_plantation"
    PLACE_DRAWN_PLANTATION = "place_drawn_plantation"
    PLACE_COLONISTS = "place_colonists"
    BUILD = "build"
    TAKE_EXTRA_GOOD = "take_extra_good"
    SELL_GOOD = "sell_good"
    LOAD_GOODS = "load_goods"
    STORE_GOODS = "store_goods"
    MOVE_GUESTS = "move_guests"


@unique
class EndReason(StrEnum):
    """What can trigger the end of the game (Rules 5)."""

    COLONISTS = "colonists"
    CITY = "city"
    VICTORY_POINTS = "victory_points"


@unique
class Moment(StrEnum):
    """When owners of guests are asked to move them (Rules 8.2, guesthouse)."""

    PHASE_START = "phase_start"
    BEFORE_STORAGE = "before_storage"
    BEFORE_SCORING = "before_scoring"


@unique
class Source(StrEnum):
    """Where doubloons, points or colonists come from when no building is the reason."""

    PRIVILEGE = "privilege"


@unique
class ColonistSource(StrEnum):
    """Where a building's colonist is taken from: the supply, else the ship (Rules 4.1, 4.3)."""

    SUPPLY = "supply"
    SHIP = "ship"


SAN_JUAN = "san_juan"
"""A place for a colonist beside the island indexes and the building keys."""


@unique
class BuildingKey(StrEnum):
    """The 23 buildings of the base game and the 14 of Expansion I (Rules 2), in table order."""

    SMALL_INDIGO_PLANT = "small_indigo_plant"
    SMALL_SUGAR_MILL = "small_sugar_mill"
    INDIGO_PLANT = "indigo_plant"
    SUGAR_MILL = "sugar_mill"
    TOBACCO_STORAGE = "tobacco_storage"
    COFFEE_ROASTER = "coffee_roaster"
    SMALL_MARKET = "small_market"
    HACIENDA = "hacienda"
    CONSTRUCTION_HUT = "construction_hut"
    SMALL_WAREHOUSE = "small_warehouse"
    HOSPICE = "hospice"
    OFFICE = "office"
    LARGE_MARKET = "large_market"
    LARGE_WAREHOUSE = "large_warehouse"
    FACTORY = "factory"
    UNIVERSITY = "university"
    HARBOR = "harbor"
    WHARF = "wharf"
    GUILD_HALL = "guild_hall"
    RESIDENCE = "residence"
    FORTRESS = "fortress"
    CUSTOMS_HOUSE = "customs_house"
    CITY_HALL = "city_hall"
    AQUEDUCT = "aqueduct"
    FOREST_HOUSE = "forest_house"
    BLACK_MARKET = "black_market"
    STOREHOUSE = "storehouse"
    GUESTHOUSE = "guesthouse"
    TRADING_POST = "trading_post"
    CHURCH = "church"
    SMALL_WHARF = "small_wharf"
    LIGHTHOUSE = "lighthouse"
    SPECIALTY_FACTORY = "specialty_factory"
    LIBRARY = "library"
    UNION_HALL = "union_hall"
    CLOISTER = "cloister"
    STATUE = "statue"


PLANTATIONS = (Tile.COFFEE, Tile.TOBACCO, Tile.CORN, Tile.SUGAR, Tile.INDIGO)
"""The kinds in the order in which a draw counts them off (docs/fair-draws.md)."""

GOOD_OF_TILE = {Tile(good.value): good for good in Good}
TILE_OF_GOOD = {good: Tile(good.value) for good in Good}
