"""The tables of the rules as one document: every number from the engine, words from `texts`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from shared.engine.buildings.base import Building, Kind
from shared.engine.buildings.catalog import (
    BASE_VIOLET,
    NEVER_TOGETHER,
    PRINTED,
    PRODUCTION,
    SWAPPED,
    copies,
)
from shared.engine.options import Options
from shared.engine.phases.trader import PRICES
from shared.engine.setup import COMPONENTS, GOODS, QUARRIES, TILES, roles
from shared.engine.state import CITY_SPACES, ISLAND_SPACES, TRADING_HOUSE_SPACES
from shared.engine.vocabulary import BuildingKey, Good, Role, Tile
from shared.table.decide import RULES_VERSION

_TEXTS = Path(__file__).parent / "texts"
"""One file for each language; a test holds each to all keys."""


Language = Literal["en", "de", "fr", "es"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
"""The first is the default."""


class Words(Struct, frozen=True):
    """What something is called and what it does."""

    name: str
    text: str


class Texts(Struct, frozen=True):
    """The words of one language. Codes are the same in all."""

    goods: dict[Good, str]
    tiles: dict[Tile, str]
    roles: dict[Role, Words]
    buildings: dict[BuildingKey, Words]
    options: dict[str, str]


class BuildingRule(Struct, frozen=True, kw_only=True):
    """A building as printed (Rules 2)."""

    id: BuildingKey
    cost: int
    swapped_cost: Annotated[int, Meta(description="With the option swap_factory_university.")]
    points: int
    column: Annotated[int, Meta(description="How many quarries make it cheaper at most.")]
    circles: Annotated[int, Meta(description="How many colonists it holds.")]
    spaces: Annotated[int, Meta(description="City spaces it fills.")]
    kind: Kind
    produces: Good | None
    set: Annotated[
        Literal["production", "base", "expansion"],
        Meta(description="Production buildings are always in play, of the violet ones a choice."),
    ]
    copies: Annotated[dict[int, int], Meta(description="By number of players.")]
    name: str
    text: str


class SetUpRule(Struct, frozen=True, kw_only=True):
    """What a game for so many players begins with (Rules 1, 9)."""

    players: int
    doubloons: int
    starting_tiles: Annotated[tuple[Tile, ...], Meta(description="By seat.")]
    roles: list[Role]
    victory_points: int
    colonists: Annotated[int, Meta(description="In the supply, besides those on the ship.")]
    colonist_ship: int
    cargo_ships: tuple[int, ...]
    face_up_plantations: int
    plantations: dict[Tile, int]
    quarries: int
    goods: dict[Good, int]


class RoleRule(Struct, frozen=True):
    """A role (Rules 4)."""

    id: Role
    name: str
    text: str


class GoodRule(Struct, frozen=True):
    """A good and what the trading house pays for it."""

    id: Good
    name: str
    price: int


class TileRule(Struct, frozen=True):
    """What can lie on an island space."""

    id: Tile
    name: str


class OptionRule(Struct, frozen=True, kw_only=True):
    """An option of a new game (Rules 10)."""

    id: str
    values: Annotated[
        list[bool | str] | None,
        Meta(description="The possible ones; null for a list of buildings or of pairs of them."),
    ]
    default: bool | str | list[str]
    text: str


class Rules(Struct, frozen=True, kw_only=True):
    """The tables of the rules. docs/rules.md holds the rules themselves."""

    rules_version: int
    language: Annotated[Language, Meta(description="Of names and texts; codes have none.")]
    island_spaces: int
    city_spaces: int
    trading_house_spaces: int
    roles: list[RoleRule]
    goods: list[GoodRule]
    tiles: list[TileRule]
    buildings: Annotated[list[BuildingRule], Meta(description="In the order of the printed table.")]
    never_together: Annotated[
        tuple[BuildingKey, BuildingKey], Meta(description="Never both in play, whatever the set.")
    ]
    setups: list[SetUpRule]
    options: list[OptionRule]


def texts(language: Language) -> Texts:
    return msgspec.json.decode((_TEXTS / f"{language}.json").read_bytes(), type=Texts)


def rules(language: Language) -> Rules:
    """Everything a client needs to show the game, but for the play itself."""
    words = texts(language)
    return Rules(
        rules_version=RULES_VERSION,
        language=language,
        island_spaces=ISLAND_SPACES,
        city_spaces=CITY_SPACES,
        trading_house_spaces=TRADING_HOUSE_SPACES,
        roles=[RoleRule(role, words.roles[role].name, words.roles[role].text) for role in Role],
        goods=[GoodRule(good, words.goods[good], PRICES[good]) for good in Good],
        tiles=[TileRule(tile, words.tiles[tile]) for tile in Tile],
        buildings=[_building(b, words.buildings[b.key]) for b in PRINTED.values()],
        never_together=NEVER_TOGETHER,
        setups=[_set_up(players) for players in COMPONENTS],
        options=[_option(field, words.options[field]) for field in Options.__struct_fields__],
    )


def _building(building: Building, words: Words) -> BuildingRule:
    return BuildingRule(
        id=building.key,
        cost=building.cost,
        swapped_cost=SWAPPED[building.key].cost,
        points=building.points,
        column=building.column,
        circles=building.circles,
        spaces=building.spaces,
        kind=building.kind,
        produces=building.produces,
        set=_set(building.key),
        copies={players: copies([building.key], players)[building.key] for players in COMPONENTS},
        name=words.name,
        text=words.text,
    )


def _set(key: BuildingKey) -> Literal["production", "base", "expansion"]:
    if key in PRODUCTION:
        return "production"
    return "base" if key in BASE_VIOLET else "expansion"


def _set_up(players: int) -> SetUpRule:
    parts = COMPONENTS[players]
    return SetUpRule(
        players=players,
        doubloons=parts.doubloons,
        starting_tiles=parts.tiles,
        roles=roles(players),
        victory_points=parts.victory_points,
        colonists=parts.colonists,
        colonist_ship=players,
        cargo_ships=parts.ships,
        face_up_plantations=players + 1,
        plantations={tile: count - parts.out_of_play for tile, count in TILES.items()},
        quarries=QUARRIES - parts.out_of_play,
        goods={good: count - parts.goods_out_of_play for good, count in GOODS.items()},
    )


def _option(name: str, text: str) -> OptionRule:
    kind, default = get_type_hints(Options)[name], getattr(Options(), name)
    values: list[bool | str] | None = None
    if kind is bool:
        values = [default, not default]
    elif get_origin(kind) is Literal:
        values = list(get_args(kind))
    return OptionRule(id=name, values=values, default=msgspec.to_builtins(default), text=text)
