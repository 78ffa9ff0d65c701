"""What cannot be: boards that no game could have come to.

Totals may be off, as in a fragment of a game: what the players hold need not have left the supply.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from shared.engine import RuleViolation, building_sets, check_options
from shared.engine.buildings.catalog import BASE_VIOLET, PRINTED, PRODUCTION
from shared.engine.setup import COMPONENTS
from shared.engine.state import CITY_SPACES, ISLAND_SPACES, TRADING_HOUSE_SPACES, Game, Player
from shared.engine.vocabulary import PLANTATIONS

MOST_SHIPS = max(len(parts.ships) for parts in COMPONENTS.values())

Fault = tuple[str, str]
"""A JSON Pointer into the position, and what is wrong there."""


class PositionRefused(Exception):
    """No such position can be. `pointer` says where the fault lies."""

    def __init__(self, detail: str, pointer: str) -> None:
        self.detail, self.pointer = detail, pointer
        super().__init__(f"{detail} at {pointer or '/'}")


def require_possible(faults: Iterable[Fault]) -> None:
    """Refuse the position at its first fault, if it has any."""
    for pointer, fault in faults:
        raise PositionRefused(fault, pointer)


def board_faults(game: Game) -> Iterator[Fault]:
    """What cannot lie where it lies, whatever happened before."""
    if len(game.roles_taken) > game.roles_a_round():
        yield "/roles_taken", f"A round has {game.roles_a_round()} roles."
    for role in game.roles_taken:
        if game.role_doubloons[role]:
            yield f"/role_doubloons/{role}", "A role that is taken has no doubloons."
    for seat, player in enumerate(game.players):
        yield from _player_faults(game, player, f"/players/{seat}")
        if player.doubled is not None and game.roles_taken.get(player.doubled) != seat:
            yield f"/players/{seat}/doubled", "This seat has not taken that role."
    yield from _plantation_faults(game)
    yield from _ship_faults(game)
    if len(game.trading_house) > TRADING_HOUSE_SPACES:
        yield "/trading_house", f"It holds {TRADING_HOUSE_SPACES} goods."


def _player_faults(game: Game, player: Player, pointer: str) -> Iterator[Fault]:
    if len(player.island) > ISLAND_SPACES:
        yield f"{pointer}/island", f"An island has {ISLAND_SPACES} spaces."
    for index, space in enumerate(player.island):
        if space.colonists > space.circles():
            yield f"{pointer}/island/{index}", "More colonists than circles."
    for index, (key, colonists) in enumerate(player.city.items()):
        if key not in game.supply.buildings:
            yield f"{pointer}/city/{index}", "This building is not in play."
        if colonists > game.catalog[key].circles:
            yield f"{pointer}/city/{index}", "More colonists than circles."
    if game.city_spaces(player) > CITY_SPACES:
        yield f"{pointer}/city", f"A city has {CITY_SPACES} spaces."


def _plantation_faults(game: Game) -> Iterator[Fault]:
    piles = game.plantations
    for tile in (*piles.face_up, *piles.face_down, *piles.discards):
        if tile not in PLANTATIONS:
            yield "/plantations", f"A {tile} is no plantation."


def _ship_faults(game: Game) -> Iterator[Fault]:
    if len(game.cargo_ships) > MOST_SHIPS:
        yield "/cargo_ships", f"A game has at most {MOST_SHIPS} ships."
    carried = [ship.good for ship in game.cargo_ships if ship.good is not None]
    for index, ship in enumerate(game.cargo_ships):
        if not ship.capacity:
            yield f"/cargo_ships/{index}/capacity", "A ship has room for a barrel at least."
        if ship.loaded > ship.capacity or (ship.good is None) != (ship.loaded == 0):
            yield f"/cargo_ships/{index}", "The good and the barrels do not fit the ship."
        if ship.good is not None and carried.count(ship.good) > 1:
            yield f"/cargo_ships/{index}", "A kind of good is on one ship only."


# A whole game


def set_faults(game: Game) -> Iterator[Fault]:
    """The options must allow such a game, and the buildings in play be a set of theirs."""
    options, in_play = game.options, game.supply.buildings
    violet = tuple(key for key in in_play if PRINTED[key].is_violet)
    try:
        check_options(len(game.players), options)
    except RuleViolation as violation:
        yield "/options", violation.detail
    if game.drafted is not None:
        yield from _draft_faults(game)
        return
    if any(key not in in_play for key in PRODUCTION):
        yield "/supply/buildings", "All production buildings are in play."
    expected = {"base": BASE_VIOLET, "custom": options.custom_buildings}.get(options.buildings)
    if expected is not None and set(violet) != set(expected):
        yield "/supply/buildings", "These are not the buildings that the options name."
    try:
        whole = replace(options, buildings="custom", custom_buildings=violet)
        building_sets.check(whole)
    except RuleViolation as violation:
        yield "/supply/buildings", violation.detail


def _draft_faults(game: Game) -> Iterator[Fault]:
    drafted, pointer = game.drafted or [], "/phase_state/drafted"
    if game.options.buildings != "draft":
        yield pointer, "There is no draft in this game."
    if game.supply.buildings:
        yield "/supply/buildings", "None is in play before the draft is complete."
    for number, key in enumerate(drafted):
        if key not in building_sets.offered(game.options, drafted[:number]):
            yield f"{pointer}/{number}", f"{key} could not be picked then."
    if not building_sets.offered(game.options, drafted):
        yield pointer, "The draft is complete."
