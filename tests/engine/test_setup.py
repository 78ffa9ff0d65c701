"""The opening: what rule cases cannot say because draws change it. Rules 1, 9."""

from collections import Counter

import pytest

from shared.engine import set_up
from shared.engine.events import GameSetUp, PlantationsTurnedUp, RoundBegan
from shared.engine.options import Options
from shared.engine.vocabulary import Tile
from shared.table.chance import Draws

DRAW = Draws(b"openings")
PRINTED = {Tile.COFFEE: 8, Tile.TOBACCO: 9, Tile.CORN: 10, Tile.SUGAR: 11, Tile.INDIGO: 12}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_starting_tiles_come_out_of_the_plantations(players: int) -> None:
    assert all_tiles(players) == PRINTED


def test_for_two_players_three_tiles_of_each_plantation_stay_in_the_box() -> None:
    assert all_tiles(2) == {tile: count - 3 for tile, count in PRINTED.items()}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_one_tile_more_than_players_lies_face_up(players: int) -> None:
    assert len(set_up(players, Options(), DRAW).game.plantations.face_up) == players + 1


def test_the_set_up_is_told_in_its_order() -> None:
    first, tiles, began, *_ = set_up(3, Options(), DRAW, first_draw=2).events
    assert isinstance(first, GameSetUp)
    assert isinstance(tiles, PlantationsTurnedUp)
    assert (first.first_draw, first.draws, tiles.first_draw) == (2, 0, 2)
    assert began == RoundBegan(1, 0)


def all_tiles(players: int) -> Counter[Tile]:
    game = set_up(players, Options(), DRAW).game
    found = Counter(game.plantations.face_up) + Counter(game.plantations.face_down)
    return found + Counter(space.tile for player in game.players for space in player.island)
