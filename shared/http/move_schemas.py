"""The moves as a request brings them: a union told apart by `type` (docs/rules.md, "The moves").

The schemas serve the request's edge: strict values, faults with a pointer, and the specification.
What they let through is read by `shared.wire.moves`; a test holds both to the same moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from shared.engine.commands import Command
from shared.engine.state import CITY_SPACES, ISLAND_SPACES
from shared.engine.vocabulary import SAN_JUAN, BuildingKey, Good, Role, Tile
from shared.http.fields import StrictBool, StrictInt, StrictMap
from shared.wire.faults import MOST
from shared.wire.moves import MalformedMove, decode_move


def _one_of(values: type[StrEnum] | Sequence[str], **options: Any) -> fields.String:
    return fields.String(validate=validate.OneOf([str(value) for value in values]), **options)


def _kind(name: str, description: str) -> fields.String:
    """Make the field that tells the moves apart."""
    return _one_of([name], required=True, metadata={"description": description})


def _flag(description: str) -> StrictBool:
    return StrictBool(metadata={"description": description})


def _barrels(**options: Any) -> StrictMap:
    """Make a map of barrels: as many as a position can give a player, be it more than there are."""
    return StrictMap(keys=_one_of(Good), values=StrictInt(minimum=0, maximum=MOST), **options)


class PlaceField(fields.Field[int | str]):
    """A place: an index from 0 on, or one of some names."""

    def __init__(self, description: str, more_names: Sequence[str] = (), **options: Any) -> None:
        self._names = [*more_names, *BuildingKey]
        forms = [
            {"type": "integer", "minimum": 0, "maximum": ISLAND_SPACES - 1},
            {"type": "string", "enum": self._names},
        ]
        super().__init__(metadata={"description": description, "anyOf": forms}, **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int | str:
        if type(value) is int and 0 <= value < ISLAND_SPACES:
            return value
        if isinstance(value, str) and value in self._names:
            return value
        raise ValidationError("Neither an index nor a name that is possible here.")


class _MoveSchema(Schema):
    @post_load
    def _command(self, data: dict[str, object], **_kwargs: object) -> Command:
        try:
            return decode_move(data)
        except MalformedMove as malformed:
            raise ValidationError(malformed.detail) from malformed


class ChooseBuildingSchema(_MoveSchema):
    type = _kind("choose_building", "Draft: pick a building that will be in play.")
    building = _one_of(BuildingKey, required=True)


class ChooseRoleSchema(_MoveSchema):
    type = _kind("choose_role", "Take a role that nobody has taken this round.")
    role = _one_of(Role, required=True)
    decline_privilege = _flag("The mayor does not take his extra colonist.")


class TakePlantationSchema(_MoveSchema):
    type = _kind("take_plantation", "Take a face-up plantation or a quarry.")
    tile = _one_of(Tile, required=True)
    decline_hospice = _flag("No colonist from the hospice.")
    as_forest = _flag("Place it face down, with a forest house.")


class DrawPlantationSchema(_MoveSchema):
    type = _kind("draw_plantation", "Hacienda: draw a face-down tile before the normal take.")


class PlaceDrawnPlantationSchema(_MoveSchema):
    type = _kind("place_drawn_plantation", "Place the tile just drawn.")
    as_forest = _flag("Place it face down, with a forest house.")


class PlaceColonistsSchema(_MoveSchema):
    type = _kind(
        "place_colonists", "The whole arrangement of the colonists; the rest goes to San Juan."
    )
    island = fields.List(
        StrictInt(minimum=0, maximum=1),
        required=True,
        validate=validate.Length(max=ISLAND_SPACES),
        metadata={"description": "Colonists per tile, every tile in order; a forest has 0."},
    )
    city = StrictMap(
        keys=_one_of(BuildingKey),
        values=StrictInt(minimum=0, maximum=3),
        required=True,
        validate=validate.Length(max=CITY_SPACES),
        metadata={"description": "Colonists per building; one left out has 0."},
    )


class ExchangeSchema(Schema):
    """Black market: what is given back, at most one of each."""

    colonist = PlaceField(
        "Where it is taken from: an island index, a building or `san_juan`.", [SAN_JUAN]
    )
    good = _one_of(Good)
    victory_point = StrictBool()


class BuildSchema(_MoveSchema):
    type = _kind("build", "Build one building.")
    building = _one_of(BuildingKey, required=True)
    decline_university = _flag("No colonist from the university.")
    exchange = fields.Nested(ExchangeSchema)


class TakeExtraGoodSchema(_MoveSchema):
    type = _kind("take_extra_good", "The craftsman's privilege, one good a move.")
    good = _one_of(Good, required=True)


class SellGoodSchema(_MoveSchema):
    type = _kind("sell_good", "Sell one good to the trading house.")
    good = _one_of(Good, required=True)
    to = _one_of(
        BuildingKey, metadata={"description": "A building of one's own to sell to instead."}
    )


class LoadGoodsSchema(_MoveSchema):
    type = _kind("load_goods", "Load one kind on a cargo ship, or on a private one.")
    good = _one_of(Good, required=True)
    ship = PlaceField("The ship's index, or the building that ships.", required=True)


class LoadSmallWharfSchema(_MoveSchema):
    type = _kind("load_small_wharf", "Ship any barrels, 1 victory point for two.")
    goods = _barrels(required=True)


class StoreGoodsSchema(_MoveSchema):
    type = _kind("store_goods", "Keep these; all other barrels go to the supply.")
    warehouses = fields.List(
        _one_of(Good),
        validate=validate.Length(max=len(Good)),
        metadata={"description": "Kinds kept whole."},
    )
    barrels = _barrels(metadata={"description": "The single ones kept."})


class GuestSchema(Schema):
    to = PlaceField("An island index or a building.", required=True)


class MoveGuestsSchema(_MoveSchema):
    type = _kind("move_guests", "Guesthouse: move guests, at any time but the mayor's phase.")
    guests = fields.List(
        fields.Nested(GuestSchema), required=True, validate=validate.Length(1, ISLAND_SPACES)
    )


class PassSchema(_MoveSchema):
    type = _kind("pass", "Decline what is optional.")


class MoveSchema(OneOfSchema):
    """One of the moves that `GET /v1/games/{game_id}/legal-moves` lists."""

    type_field_remove = False
    type_schemas: Mapping[str, Schema] = {  # instances, since making one costs more than its use
        "choose_building": ChooseBuildingSchema(),
        "choose_role": ChooseRoleSchema(),
        "take_plantation": TakePlantationSchema(),
        "draw_plantation": DrawPlantationSchema(),
        "place_drawn_plantation": PlaceDrawnPlantationSchema(),
        "place_colonists": PlaceColonistsSchema(),
        "build": BuildSchema(),
        "take_extra_good": TakeExtraGoodSchema(),
        "sell_good": SellGoodSchema(),
        "load_goods": LoadGoodsSchema(),
        "load_small_wharf": LoadSmallWharfSchema(),
        "store_goods": StoreGoodsSchema(),
        "move_guests": MoveGuestsSchema(),
        "pass": PassSchema(),
    }
