"""Events as they are stored: an explicit name, a schema version, a body.

A landed type is never changed: a new field gets a default; a new meaning gets a new version here
and an upcast.
"""

from msgspec import convert, to_builtins

from shared.engine import events as game
from shared.table import events as table
from shared.wire.upcasts import upcast

AnyEvent = table.TableEvent | game.Event
Body = dict[str, object]

TYPES: dict[str, tuple[type[AnyEvent], int]] = {
    "game_created": (table.GameCreated, 1),
    "player_joined": (table.PlayerJoined, 1),
    "player_left": (table.PlayerLeft, 1),
    "game_started": (table.GameStarted, 1),
    "seat_given": (table.SeatGiven, 1),
    "game_aborted": (table.GameAborted, 1),
    "seed_revealed": (table.SeedRevealed, 1),
    "game_set_up": (game.GameSetUp, 1),
    "building_drafted": (game.BuildingDrafted, 1),
    "draft_ended": (game.DraftEnded, 1),
    "round_began": (game.RoundBegan, 1),
    "decision_asked": (game.DecisionAsked, 1),
    "turns_skipped": (game.TurnsSkipped, 1),
    "turn_passed": (game.TurnPassed, 1),
    "role_chosen": (game.RoleChosen, 1),
    "phase_ended": (game.PhaseEnded, 1),
    "round_ended": (game.RoundEnded, 1),
    "end_triggered": (game.EndTriggered, 1),
    "game_ended": (game.GameEnded, 1),
    "doubloons_gained": (game.DoubloonsGained, 1),
    "points_gained": (game.PointsGained, 1),
    "colonist_gained": (game.ColonistGained, 1),
    "privilege_doubled": (game.PrivilegeDoubled, 1),
    "tile_taken": (game.TileTaken, 1),
    "plantation_drawn": (game.PlantationDrawn, 1),
    "drawn_plantation_placed": (game.DrawnPlantationPlaced, 1),
    "leftover_offered": (game.LeftoverOffered, 1),
    "plantations_discarded": (game.PlantationsDiscarded, 1),
    "discards_shuffled": (game.DiscardsShuffled, 1),
    "plantations_turned_up": (game.PlantationsTurnedUp, 1),
    "colonists_taken": (game.ColonistsTaken, 1),
    "privilege_declined": (game.PrivilegeDeclined, 1),
    "colonists_dealt": (game.ColonistsDealt, 1),
    "colonists_placed": (game.ColonistsPlaced, 1),
    "colonist_ship_filled": (game.ColonistShipFilled, 1),
    "exchange_made": (game.ExchangeMade, 1),
    "building_built": (game.BuildingBuilt, 1),
    "goods_produced": (game.GoodsProduced, 1),
    "extra_good_taken": (game.ExtraGoodTaken, 1),
    "good_sold": (game.GoodSold, 1),
    "trading_house_emptied": (game.TradingHouseEmptied, 1),
    "goods_loaded": (game.GoodsLoaded, 1),
    "goods_shipped": (game.GoodsShipped, 1),
    "loading_ended": (game.LoadingEnded, 1),
    "goods_stored": (game.GoodsStored, 1),
    "cargo_ships_emptied": (game.CargoShipsEmptied, 1),
    "guests_asked": (game.GuestsAsked, 1),
    "guests_moved": (game.GuestsMoved, 1),
    "guests_settled": (game.GuestsSettled, 1),
}
"""Stored name → its class and current schema version."""

_NAMES = {kind: (name, version) for name, (kind, version) in TYPES.items()}


class UnknownEvent(Exception):
    """A stored type or version that this code does not know: newer code wrote it."""


def encode_event(event: AnyEvent) -> tuple[str, int, Body]:
    """Name, schema version and body of an event."""
    name, version = _NAMES[type(event)]
    return name, version, to_builtins(event)


def decode_event(name: str, version: int, body: Body) -> AnyEvent:
    """The event that was stored, brought to its current version."""
    if name not in TYPES:
        raise UnknownEvent(f"{name} is not a known event type")
    kind, current = TYPES[name]
    if version > current:
        raise UnknownEvent(f"{name} version {version} is newer than {current}")
    return convert(upcast(name, version, current, body), kind)
