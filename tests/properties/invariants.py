"""What holds after every event: nothing is lost, made, negative or beyond its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shared.engine import Game
from shared.engine.memory import Settling
from shared.engine.state import CITY_SPACES, ISLAND_SPACES, TRADING_HOUSE_SPACES, Player
from shared.engine.vocabulary import Good, Tile

Totals = Counter[str]


def totals(game: Game) -> Totals:
    """How many there are of all that is conserved, wherever it lies."""
    supply, found = game.supply, Totals()
    found["colonists"] = supply.colonists + supply.colonist_ship
    found["colonists"] += sum(player.colonists() for player in game.players)
    found.update({f"good {good}": barrels for good, barrels in supply.goods.items()})
    found.update(f"good {good}" for good in game.trading_house)
    for ship in game.cargo_ships:
        found[f"good {ship.good}"] += ship.loaded
    for player in game.players:
        found.update({f"good {good}": barrels for good, barrels in player.goods.items()})
        found.update(f"building {key}" for key in player.city)
    found.update({f"building {key}": copies for key, copies in supply.buildings.items()})
    found["tile quarry"] = supply.quarries
    found.update(f"tile {tile}" for tile in tiles_in_sight(game))
    for stack in (game.plantations.face_down, game.plantations.discards):
        found.update({f"tile {tile}": count for tile, count in stack.items()})
    return found


def tiles_in_sight(game: Game) -> Iterator[Tile]:
    for player in game.players:
        yield from (space.tile for space in player.island)
    yield from game.plantations.face_up
    if isinstance(game.phase, Settling) and game.phase.drawn is not None:
        yield game.phase.drawn


def check_totals(before: Totals, after: Totals) -> None:
    """A forest is a plantation turned over: the sum of the tiles stays, a kind may only shrink."""
    forests = after["tile forest"] - before["tile forest"]
    assert forests >= 0
    kinds = {name for name in before if name.startswith("tile ")} - {"tile forest"}
    assert all(after[name] <= before[name] for name in kinds)
    assert sum(before[name] - after[name] for name in kinds) == forests
    for name in (before.keys() | after.keys()) - kinds - {"tile forest"}:
        assert after[name] == before[name], name


def check_bounds(game: Game) -> None:
    """Every number has its limits, every holder its room."""
    supply = game.supply
    numbers = [supply.colonists, supply.colonist_ship, supply.victory_points, supply.quarries]
    numbers += [*supply.goods.values(), *supply.buildings.values(), *game.role_doubloons.values()]
    assert min(numbers) >= 0
    for player in game.players:
        _check_player(game, player)
    carried = [ship.good for ship in game.cargo_ships if ship.good is not None]
    assert len(set(carried)) == len(carried)
    for ship in game.cargo_ships:
        assert 0 <= ship.loaded <= ship.capacity
        assert (ship.good is None) == (ship.loaded == 0)
    assert len(game.trading_house) <= TRADING_HOUSE_SPACES
    assert len(game.plantations.face_up) <= len(game.players) + 1
    assert len({asked.seat for asked in game.awaiting}) == len(game.awaiting)
    assert len(game.roles_taken) <= game.roles_a_round()


def _check_player(game: Game, player: Player) -> None:
    assert min(player.doubloons, player.victory_points, player.san_juan) >= 0
    assert min(player.goods.values()) >= 0
    assert set(player.goods) == set(Good)
    assert len(player.island) <= ISLAND_SPACES
    assert game.city_spaces(player) <= CITY_SPACES
    assert all(0 <= space.colonists <= space.circles() for space in player.island)
    assert all(0 <= n <= game.catalog[key].circles for key, n in player.city.items())


def check_points(game: Game, chips: int) -> None:
    """Points held and chips left are the game's chips, and more once they have run out."""
    points = game.supply.victory_points + sum(player.victory_points for player in game.players)
    ran_out = game.end_trigger is not None or not game.supply.victory_points
    assert points >= chips if ran_out else points == chips
