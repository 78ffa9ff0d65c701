"""The opening: components by number of players, starting position. Rules 1, 9, 10."""

from collections.abc import Iterable
from typing import NamedTuple

from shared.engine.buildings.catalog import PRODUCTION, copies
from shared.engine.events import GameSetUp
from shared.engine.options import Options
from shared.engine.state import CargoShip, Game, Plantations, Player, Space, Supply
from shared.engine.vocabulary import BuildingKey, Good, Role, Tile


class Components(NamedTuple):
    """One column of the table in Rules 1 (or Rules 9)."""

    doubloons: int
    tiles: tuple[Tile, ...]
    """The starting tile of each seat, from the governor clockwise."""
    prospectors: int
    victory_points: int
    colonists: int
    ships: tuple[int, ...]
    out_of_play: int = 0
    """Tiles of each plantation, and quarries, that stay in the box."""
    goods_out_of_play: int = 0


_I, _C = Tile.INDIGO, Tile.CORN
COMPONENTS = {
    2: Components(3, (_I, _C), 1, 65, 40, (4, 6), out_of_play=3, goods_out_of_play=2),
    3: Components(2, (_I, _I, _C), 0, 75, 55, (4, 5, 6)),
    4: Components(3, (_I, _I, _C, _C), 1, 100, 75, (5, 6, 7)),
    5: Components(4, (_I, _I, _I, _C, _C), 2, 122, 95, (6, 7, 8)),
}
TILES = {Tile.COFFEE: 8, Tile.TOBACCO: 9, Tile.CORN: 10, Tile.SUGAR: 11, Tile.INDIGO: 12}
QUARRIES = 8
GOODS = {Good.COFFEE: 9, Good.TOBACCO: 9, Good.CORN: 10, Good.SUGAR: 11, Good.INDIGO: 11}


def roles(players: int) -> list[Role]:
    """The roles of a game, in table order."""
    count = len(Role) - 2 + COMPONENTS[players].prospectors
    return list(Role)[:count]


def opening(event: GameSetUp, version: int = 1) -> Game:
    """The game that this event, of this version, makes before any tile is turned up."""
    parts, options = COMPONENTS[event.players], event.options
    face_down = {tile: count - parts.out_of_play for tile, count in TILES.items()}
    for tile in parts.tiles:
        face_down[tile] -= 1
    game = Game(
        options=options,
        players=[_player(parts, tile, options) for tile in parts.tiles],
        supply=Supply(
            colonists=parts.colonists,
            colonist_ship=event.players,
            victory_points=126 if options.points_supply == "126" else parts.victory_points,
            quarries=QUARRIES - parts.out_of_play,
            goods={good: GOODS[good] - parts.goods_out_of_play for good in Good},
            buildings={},
        ),
        plantations=Plantations(face_up=[], face_down=face_down, discards={}),
        cargo_ships=[CargoShip(capacity) for capacity in parts.ships],
        trading_house=[],
        role_doubloons=dict.fromkeys(roles(event.players), 0),
        draws=event.first_draw + event.draws,
        version=version,
    )
    if options.buildings == "draft":
        game.drafted = []
    else:
        open_supply(game, event.buildings)
    return game


def open_supply(game: Game, violet: Iterable[BuildingKey]) -> None:
    """Lay out the buildings in play, in table order (Rules 2, 8.1)."""
    in_play = {*PRODUCTION, *violet}
    keys = [key for key in BuildingKey if key in in_play]
    game.supply.buildings = copies(keys, len(game.players))


def _player(parts: Components, tile: Tile, options: Options) -> Player:
    less = tile is Tile.CORN and options.corn_start == "one_less"
    return Player(
        doubloons=parts.doubloons - less,
        island=[Space(tile)],
        city={},
        goods=dict.fromkeys(Good, 0),
    )
