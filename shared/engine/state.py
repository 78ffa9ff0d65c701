"""The state of a game, questions about it, and `clone`. Only evolve.py writes it.

Mutable on purpose: a colonist three levels deep is one line to move, and replay is ten times faster
than with frozen copies (docs/decisions/0001-engine.md).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from shared.engine.buildings.base import Building
from shared.engine.buildings.catalog import (
    CATALOGS,
    GUEST_HOUSE,
    PRODUCERS,
    TWO_SPACES,
    Catalog,
    answering,
    special_answers,
)
from shared.engine.events import Score
from shared.engine.memory import PhaseMemory
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

ISLAND_SPACES = 12
CITY_SPACES = 12
TRADING_HOUSE_SPACES = 4
CIRCLES = {tile: int(tile is not Tile.FOREST) for tile in Tile}
"""Circles of a tile: a forest has none."""
CLOCKWISE = {
    players: tuple(tuple((first + n) % players for n in range(players)) for first in range(players))
    for players in range(2, 6)
}
"""All seats from each one on, by number of players."""

T = TypeVar("T")


class Space(Struct, gc=False):
    """A filled island space: a tile with its colonist, if any."""

    tile: Tile
    colonists: int = 0

    def circles(self) -> int:
        return CIRCLES[self.tile]


class Player(Struct):
    """A player's board and what he holds."""

    doubloons: int
    island: list[Space]
    city: dict[BuildingKey, int]
    """Colonists per building, in the order of building."""
    goods: dict[Good, int]
    victory_points: int = 0
    """Points earned: chips, and those noted after the chips ran out."""
    san_juan: int = 0
    doubled: Role | None = None
    """Two players: the role of this round that a library has doubled (Rules 9)."""

    def clone(self) -> Player:
        return Player(
            self.doubloons,
            [Space(space.tile, space.colonists) for space in self.island],
            dict(self.city),
            dict(self.goods),
            self.victory_points,
            self.san_juan,
            self.doubled,
        )

    def colonists(self) -> int:
        """All his colonists, San Juan included."""
        colonists = self.san_juan + sum(self.city.values())
        for space in self.island:
            colonists += space.colonists
        return colonists

    def occupied(self, tile: Tile) -> int:
        """How many tiles of this kind have a colonist."""
        count = 0
        for space in self.island:
            if space.tile is tile and space.colonists:
                count += 1
        return count

    def count(self, tile: Tile) -> int:
        """How many tiles of this kind lie on the island."""
        count = 0
        for space in self.island:
            if space.tile is tile:
                count += 1
        return count

    def free_island_spaces(self) -> int:
        return ISLAND_SPACES - len(self.island)


class CargoShip(Struct, gc=False):
    """A ship carries one kind of good."""

    capacity: int
    good: Good | None = None
    loaded: int = 0

    def room(self) -> int:
        return self.capacity - self.loaded


class Supply(Struct):
    """What nobody holds. `victory_points` are the chips left, never below 0."""

    colonists: int
    colonist_ship: int
    victory_points: int
    quarries: int
    goods: dict[Good, int]
    buildings: dict[BuildingKey, int]
    """Copies left of each building in play, those at 0 included."""

    def colonist_source(self) -> ColonistSource | None:
        """Where a building's colonist comes from: the supply, else the ship, else none."""
        if self.colonists:
            return ColonistSource.SUPPLY
        return ColonistSource.SHIP if self.colonist_ship else None

    def clone(self) -> Supply:
        return Supply(
            self.colonists,
            self.colonist_ship,
            self.victory_points,
            self.quarries,
            dict(self.goods),
            dict(self.buildings),
        )


class Plantations(Struct):
    """The tiles not on islands. No order is stored: a draw picks from `face_down`."""

    face_up: list[Tile]
    face_down: dict[Tile, int]
    discards: dict[Tile, int]

    def clone(self) -> Plantations:
        return Plantations(list(self.face_up), dict(self.face_down), dict(self.discards))


class Asked(Struct, frozen=True, gc=False):
    """A seat the game waits for; `version` is that of the event that asked."""

    seat: int
    decision: Decision
    version: int


class EndTrigger(Struct, frozen=True):
    """The first thing that triggered the end, and its round (Rules 5)."""

    reason: EndReason
    round: int


class Window(Struct, frozen=True):
    """Owners of guests are being asked, clockwise from `first` (Rules 8.2)."""

    moment: Moment
    first: int


class Game(Struct):
    """Everything the rules need to know. Seats are 0 to players - 1, clockwise."""

    options: Options
    players: list[Player]
    supply: Supply
    plantations: Plantations
    cargo_ships: list[CargoShip]
    trading_house: list[Good]
    role_doubloons: dict[Role, int]
    """Doubloons on each role of this game."""
    drafted: list[BuildingKey] | None = None
    """The buildings picked so far while a draft lasts."""
    round: int = 1
    governor: int = 0
    roles_taken: dict[Role, int] = {}
    """This round: role → seat, in the order of taking."""
    phase: PhaseMemory | None = None
    window: Window | None = None
    awaiting: list[Asked] = []
    end_trigger: EndTrigger | None = None
    scores: tuple[Score, ...] = ()
    winners: tuple[int, ...] = ()
    draws: int = 0
    """The number of the next draw."""
    version: int = 0
    """The number of events behind this state."""

    def clone(self) -> Game:
        """A copy that shares nothing mutable with this game."""
        return Game(
            self.options,
            [player.clone() for player in self.players],
            self.supply.clone(),
            self.plantations.clone(),
            [CargoShip(ship.capacity, ship.good, ship.loaded) for ship in self.cargo_ships],
            list(self.trading_house),
            dict(self.role_doubloons),
            None if self.drafted is None else list(self.drafted),
            self.round,
            self.governor,
            dict(self.roles_taken),
            None if self.phase is None else self.phase.clone(),
            self.window,
            list(self.awaiting),
            self.end_trigger,
            self.scores,
            self.winners,
            self.draws,
            self.version,
        )

    # Seats and turns

    @property
    def is_over(self) -> bool:
        return bool(self.winners)

    def seats_from(self, first: int) -> tuple[int, ...]:
        """All seats clockwise from `first`."""
        return CLOCKWISE[len(self.players)][first]

    def asked(self, seat: int) -> Asked | None:
        """What this seat is asked, if the game waits for it."""
        for asked in self.awaiting:
            if asked.seat == seat:
                return asked
        return None

    def next_to_choose(self) -> int:
        """The seat that takes a role now, or would after the phase being played (Rules 3, 9)."""
        return (self.governor + len(self.roles_taken)) % len(self.players)

    def roles_a_round(self) -> int:
        """How many roles are taken in a round (Rules 3, 9)."""
        return 6 if len(self.players) == 2 else len(self.players)

    # Buildings

    @property
    def catalog(self) -> Catalog:
        """The buildings at the costs of this game."""
        return CATALOGS[self.options.swap_factory_university]

    def active(self, player: Player) -> list[Building]:
        """The player's occupied buildings: only these work (Rules 3.3)."""
        catalog = self.catalog
        return [catalog[key] for key, colonists in player.city.items() if colonists]

    def answering(self, player: Player, *questions: Callable[..., object]) -> list[Building]:
        """The active buildings that have something special to say to one of these questions."""
        keys = answering(*questions)
        if keys.isdisjoint(player.city):  # as most often
            return []
        catalog = self.catalog
        return [catalog[key] for key, n in player.city.items() if n and key in keys]

    def answers(self, player: Player, question: Callable[[Building], T]) -> dict[BuildingKey, T]:
        """What these say to a question that depends on nothing but the building.

        To a question of yes or no these are the buildings that say yes.
        """
        city, found = player.city, {}
        for key, answer in special_answers(question):
            if city.get(key):
                found[key] = answer  # noqa: PERF403  # a comprehension is a call more (3.11)
        return found

    def answers_within_reach(
        self, player: Player, question: Callable[[Building], T]
    ) -> dict[BuildingKey, T]:
        """The same, with the buildings that a guest could occupy at once (Rules 8.2)."""
        if not self.movable_guests(player):
            return self.answers(player, question)
        return {key: answer for key, answer in special_answers(question) if key in player.city}

    def circles(self, player: Player) -> int:
        """All circles of the player's island and city."""
        catalog = self.catalog
        island = sum([space.circles() for space in player.island])
        return island + sum([catalog[key].circles for key in player.city])

    def empty_city_circles(self, player: Player) -> int:
        catalog = self.catalog
        return sum([catalog[key].circles - n for key, n in player.city.items()])

    def city_spaces(self, player: Player) -> int:
        """City spaces filled; a large building fills two."""
        return len(player.city) + len(TWO_SPACES.intersection(player.city))

    def capacity(self, player: Player, good: Good) -> int:
        """Occupied circles of the buildings that produce this good."""
        return sum([player.city.get(key, 0) for key in PRODUCERS[good]])

    # Guests (Rules 8.2)

    def guests(self, player: Player) -> int:
        """Colonists that lie on a building for guests."""
        return player.city.get(GUEST_HOUSE, 0)

    def guest_house(self, player: Player) -> BuildingKey | None:
        """The player's building for guests."""
        return GUEST_HOUSE if GUEST_HOUSE in player.city else None

    def guest_places(self, player: Player) -> dict[int | BuildingKey, int]:
        """Empty circles a guest could move to: island index or building → how many."""
        catalog = self.catalog
        places: dict[int | BuildingKey, int] = {
            index: 1
            for index, space in enumerate(player.island)
            if not space.colonists and space.circles()
        }
        for key, colonists in player.city.items():
            empty = catalog[key].circles - colonists
            if empty and key != GUEST_HOUSE:
                places[key] = empty
        return places

    def movable_guests(self, player: Player) -> int:
        """How many guests the player could move now, were it allowed."""
        if not (guests := player.city.get(GUEST_HOUSE)):
            return 0
        return min(guests, sum(self.guest_places(player).values()))
