"""What happened: facts with their whole outcome, one per sentence a player would say.

A stored event is for ever: a field once landed keeps its meaning, a new one gets a default.
"""

from msgspec import Struct

from shared.engine.options import Options
from shared.engine.vocabulary import (
    BuildingKey,
    ColonistSource,
    Decision,
    EndReason,
    Good,
    Moment,
    Role,
    Tile,
)


class Event(Struct, frozen=True, gc=False):
    """Base of all events of the game proper; none can be part of a cycle."""


# The opening and the rounds (Rules 1, 3, 5, 8.1)


class GameSetUp(Event, frozen=True):
    """The components are laid out. `buildings`: the violet ones in play, none before a draft."""

    players: int
    options: Options
    buildings: tuple[BuildingKey, ...]
    first_draw: int
    """The number of the first draw that chose the building set; of the next one if none did."""
    draws: int
    """How many draws it took."""


class BuildingDrafted(Event, frozen=True):
    """A seat chose a building that will be in play."""

    seat: int
    building: BuildingKey


class DraftEnded(Event, frozen=True):
    """The set is complete and lies in the supply."""


class RoundBegan(Event, frozen=True):
    """The governor's card lies before `governor`."""

    round: int
    governor: int


class DecisionAsked(Event, frozen=True):
    """The game waits for this seat."""

    seat: int
    decision: Decision


class TurnsSkipped(Event, frozen=True):
    """These seats, in this order, had nothing (more) to decide."""

    seats: tuple[int, ...]
    decision: Decision


class TurnPassed(Event, frozen=True):
    """A seat declined what it was asked."""

    seat: int
    decision: Decision


class RoleChosen(Event, frozen=True):
    """A seat took a role, with the doubloons lying on it; its phase begins."""

    seat: int
    role: Role
    doubloons: int


class PhaseEnded(Event, frozen=True):
    """The phase of this role is over."""

    role: Role


class RoundEnded(Event, frozen=True):
    """One doubloon was laid on each of these roles, and all roles returned."""

    round: int
    doubloons_on: tuple[Role, ...]


class EndTriggered(Event, frozen=True):
    """The game will end after this round (Rules 5)."""

    reason: EndReason
    round: int


class Score(Struct, frozen=True):
    """One seat's final points (Rules 6); `bonuses`: those of the occupied large buildings."""

    seat: int
    victory_points: int
    buildings: int
    bonuses: dict[BuildingKey, int]
    total: int
    tie_break: int
    """Doubloons and goods, counted if totals are equal."""


class GameEnded(Event, frozen=True):
    """The final scoring; several winners share the victory."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]


# Gains that more than one phase knows


class DoubloonsGained(Event, frozen=True):
    """Doubloons from the bank; `source`: a building, or `privilege`."""

    seat: int
    source: str
    doubloons: int


class PointsGained(Event, frozen=True):
    """Victory points from the supply, as for doubloons; those beyond its last chip are noted."""

    seat: int
    source: str
    points: int


class ColonistGained(Event, frozen=True):
    """A building brought a colonist: `to` is an island index, a building or `san_juan`."""

    seat: int
    source: BuildingKey
    origin: ColonistSource
    to: int | str


class PrivilegeDoubled(Event, frozen=True):
    """Two players: this is the role of the round that the seat's building doubles (Rules 9)."""

    seat: int
    role: Role


# Settler (Rules 4.1)


class TileTaken(Event, frozen=True):
    """A face-up plantation or a quarry was placed; as a forest it lies face down."""

    seat: int
    tile: Tile
    as_forest: bool


class PlantationDrawn(Event, frozen=True):
    """The top face-down tile was drawn, for all to see; it is placed next."""

    seat: int
    source: BuildingKey
    tile: Tile
    draw: int


class DrawnPlantationPlaced(Event, frozen=True):
    """The drawn tile was placed."""

    seat: int
    tile: Tile
    as_forest: bool


class LeftoverOffered(Event, frozen=True):
    """All have taken: the settler may take one of the tiles left (Rules 8.2, library)."""

    seat: int


class PlantationsDiscarded(Event, frozen=True):
    """The face-up tiles left over were discarded."""

    tiles: tuple[Tile, ...]


class DiscardsShuffled(Event, frozen=True):
    """The discards became the face-down stack."""

    tiles: dict[Tile, int]


class PlantationsTurnedUp(Event, frozen=True):
    """New face-up tiles, in the order of their draws."""

    tiles: tuple[Tile, ...]
    first_draw: int


# Mayor (Rules 4.2)


class ColonistsTaken(Event, frozen=True):
    """The mayor's privilege: colonists from the supply."""

    seat: int
    colonists: int


class PrivilegeDeclined(Event, frozen=True):
    """The mayor did without his extra colonists."""

    seat: int


class ColonistsDealt(Event, frozen=True):
    """The ship's colonists were dealt out: how many each seat got, by seat."""

    colonists: tuple[int, ...]


class ColonistsPlaced(Event, frozen=True):
    """A seat's whole arrangement; `asked` is false when there was only one."""

    seat: int
    island: tuple[int, ...]
    city: dict[BuildingKey, int]
    san_juan: int
    asked: bool


class ColonistShipFilled(Event, frozen=True):
    """The ship took `colonists` from the supply; it should have taken `wanted`."""

    colonists: int
    wanted: int


# Builder (Rules 4.3)


class ExchangeMade(Event, frozen=True):
    """What was given back to the supply to make up a shortfall (Rules 8.2, black market)."""

    seat: int
    source: BuildingKey
    colonist: int | str | None
    good: Good | None
    victory_points: int


class BuildingBuilt(Event, frozen=True):
    """`price`: the doubloons paid."""

    seat: int
    building: BuildingKey
    price: int


# Craftsman (Rules 4.4)


class GoodsProduced(Event, frozen=True):
    """All barrels a seat produced, extra ones of buildings included."""

    seat: int
    goods: dict[Good, int]


class ExtraGoodTaken(Event, frozen=True):
    """The craftsman's privilege."""

    seat: int
    good: Good


# Trader (Rules 4.5)


class GoodSold(Event, frozen=True):
    """`to`: null for the trading house, else the seller's building; `doubloons`: the sum paid."""

    seat: int
    good: Good
    to: BuildingKey | None
    doubloons: int


class TradingHouseEmptied(Event, frozen=True):
    """The full house went to the supply."""

    goods: tuple[Good, ...]


# Captain (Rules 4.6)


class GoodsLoaded(Event, frozen=True):
    """Barrels went on a cargo ship; `points`: for the barrels alone."""

    seat: int
    ship: int
    good: Good
    barrels: int
    points: int


class GoodsShipped(Event, frozen=True):
    """Barrels went to the supply by a private ship; `points`: for the barrels alone."""

    seat: int
    building: BuildingKey
    goods: dict[Good, int]
    points: int


class LoadingEnded(Event, frozen=True):
    """Nobody loads any more; barrels are stored next."""


class GoodsStored(Event, frozen=True):
    """What a seat kept and what went to the supply; `asked` is false if it had no choice."""

    seat: int
    kept: dict[Good, int]
    discarded: dict[Good, int]
    asked: bool


class CargoShipsEmptied(Event, frozen=True):
    """The full ships, by index, were emptied into the supply."""

    ships: tuple[int, ...]


# Guests (Rules 8.2, guesthouse)


class GuestsAsked(Event, frozen=True):
    """Owners of guests are asked one after the other, clockwise from `first`."""

    moment: Moment
    first: int


class GuestsMoved(Event, frozen=True):
    """Guests went from the building `source` to these island indexes or buildings."""

    seat: int
    source: BuildingKey
    to: tuple[int | BuildingKey, ...]


class GuestsSettled(Event, frozen=True):
    """All owners of guests have answered."""

    moment: Moment
