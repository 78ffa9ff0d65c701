"""Why a move is refused: one class per reason.

RuleViolation
├── NotAwaited ............ the game does not wait for this seat (a matter of state)
├── GameIsOver
├── OtherDecision ......... the seat is asked something else
└── all others ............ the awaited seat may not make this move

`code` is stable, `rule` is a section of docs/rules.md, `sentence` is for players.
"""


class RuleViolation(Exception):
    """Base: a move that the rules refuse. Nothing has changed."""

    code: str = "rule_violation"
    rule: str = "3"
    sentence: str = "The rules do not allow this move."

    def __init__(self, detail: str | None = None) -> None:
        self.detail = detail or self.sentence
        super().__init__(self.detail)


class NotAwaited(RuleViolation):
    code = "not_awaited"
    sentence = "The game is not waiting for you."


class GameIsOver(RuleViolation):
    code, rule = "game_over", "5"
    sentence = "The game is over."


class OtherDecision(RuleViolation):
    code = "other_decision"
    sentence = "You are asked to decide something else now."


class MayNotPass(RuleViolation):
    code = "may_not_pass"
    sentence = "This decision is compulsory: you cannot pass."


class RoleNotAvailable(RuleViolation):
    code = "role_not_available"
    sentence = "This role has been taken this round or is not part of this game."


class NoPrivilegeToDecline(RuleViolation):
    code, rule = "no_privilege_to_decline", "7"
    sentence = "Only a mayor can decline his privilege when he takes the role."


# Draft


class BuildingNotOffered(RuleViolation):
    code, rule = "building_not_offered", "8.1"
    sentence = (
        "This building cannot be picked: it is picked already, its cost has no room, "
        "or the set could not be completed."
    )


class SetNotAllowed(RuleViolation):
    code, rule = "building_set_not_allowed", "8.1"
    sentence = "This set of buildings cannot be in play."


class OptionNotAllowed(RuleViolation):
    code, rule = "option_not_allowed", "10"
    sentence = "This option cannot be chosen for this game."


# Settler


class NoIslandSpace(RuleViolation):
    code, rule = "no_island_space", "4.1"
    sentence = "You have no free island space."


class TileNotFaceUp(RuleViolation):
    code, rule = "tile_not_face_up", "4.1"
    sentence = "No such plantation lies face up."


class QuarryNotAllowed(RuleViolation):
    code, rule = "quarry_not_allowed", "4.1"
    sentence = "Only the settler, or the owner of an occupied construction hut, may take a quarry."


class NoQuarryLeft(RuleViolation):
    code, rule = "no_quarry_left", "4.1"
    sentence = "There is no quarry left."


class LeftoverNotAllowed(RuleViolation):
    code, rule = "leftover_not_allowed", "8.2"
    sentence = (
        "Of the tiles left, a settler may take one with an occupied library, "
        "and a quarry only with an occupied construction hut too."
    )


class ForestNotAllowed(RuleViolation):
    code, rule = "forest_not_allowed", "8.2"
    sentence = (
        "Only the owner of an occupied forest house may place a plantation, never a quarry, "
        "as a forest."
    )


class MayNotDraw(RuleViolation):
    code, rule = "may_not_draw", "4.1"
    sentence = (
        "You may not draw a face-down tile now: it takes an occupied hacienda, "
        "before your normal take, once."
    )


class NothingToDraw(RuleViolation):
    code, rule = "nothing_to_draw", "4.1"
    sentence = "There is no tile left to draw."


# Mayor


class WrongArrangement(RuleViolation):
    code, rule = "wrong_arrangement", "4.2"
    sentence = "This is not an arrangement of your colonists over your island and city."


class CirclesLeftEmpty(RuleViolation):
    code, rule = "circles_left_empty", "4.2"
    sentence = "As many circles as possible must be filled before a colonist stays in San Juan."


# Builder


class BuildingNotInSupply(RuleViolation):
    code, rule = "building_not_in_supply", "4.3"
    sentence = "The supply has no copy of this building: none is left, or it is not in this game."


class BuildingOwned(RuleViolation):
    code, rule = "building_owned", "4.3"
    sentence = "You own this building already."


class NoCitySpace(RuleViolation):
    code, rule = "no_city_space", "4.3"
    sentence = "Your city has no room for this building."


class CannotAfford(RuleViolation):
    code, rule = "cannot_afford", "4.3"
    sentence = "You cannot pay for this building."


class ExchangeNotAllowed(RuleViolation):
    code, rule = "exchange_not_allowed", "8.2"
    sentence = (
        "This exchange is not possible: it takes an occupied black market "
        "and gives exactly what is missing."
    )


# Craftsman


class GoodNotProduced(RuleViolation):
    code, rule = "good_not_produced", "4.4"
    sentence = "You have not produced this good in this phase."


class NoneInSupply(RuleViolation):
    code, rule = "none_in_supply", "4.4"
    sentence = "The supply has none of this good."


# Trader and captain


class GoodNotHeld(RuleViolation):
    code, rule = "good_not_held", "4"
    sentence = "You do not have this good."


# Trader


class TradingHouseFull(RuleViolation):
    code, rule = "trading_house_full", "4.5"
    sentence = "The trading house is full."


class GoodAlreadyTraded(RuleViolation):
    code, rule = "good_already_traded", "4.5"
    sentence = "The trading house already holds this good."


class NoSuchMarket(RuleViolation):
    code, rule = "no_such_market", "8.2"
    sentence = "You have no occupied building of this name to sell to."


# Captain


class NoSuchShip(RuleViolation):
    code, rule = "no_such_ship", "4.6"
    sentence = "There is no such ship for you."


class ShipHoldsAnotherGood(RuleViolation):
    code, rule = "ship_holds_another_good", "4.6"
    sentence = "This ship carries another good."


class ShipFull(RuleViolation):
    code, rule = "ship_full", "4.6"
    sentence = "This ship is full."


class GoodOnAnotherShip(RuleViolation):
    code, rule = "good_on_another_ship", "4.6"
    sentence = "Another ship carries this good already."


class AnotherShipTakesMore(RuleViolation):
    code, rule = "another_ship_takes_more", "4.6"
    sentence = "An empty ship that takes more of these barrels must be chosen."


class PrivateShipUsed(RuleViolation):
    code, rule = "private_ship_used", "4.6"
    sentence = "You have used this ship in this phase."


class AssortedShipNotUsable(RuleViolation):
    code, rule = "small_wharf_not_usable", "8.2"
    sentence = "You have no occupied small wharf, or have used it in this phase."


class MustLoad(RuleViolation):
    code, rule = "must_load", "4.6"
    sentence = "You can load a cargo ship, so you must."


class WrongBarrels(RuleViolation):
    code, rule = "wrong_barrels", "8.2"
    sentence = "You do not have these barrels, or named none."


class StorageNotAllowed(RuleViolation):
    code, rule = "storage_not_allowed", "4.6"
    sentence = "Your buildings do not let you keep these barrels, or they let you keep more."


# Guests


class NoGuestsNow(RuleViolation):
    code, rule = "no_guests_now", "8.2"
    sentence = "Guests cannot be moved now."


class GuestsNotMovable(RuleViolation):
    code, rule = "guests_not_movable", "8.2"
    sentence = "You do not have that many guests, or a place named has no empty circle of yours."
