"""Positions: what is named is laid over the opening, and the impossible is refused."""

from __future__ import annotations

import pytest

from shared.engine import set_up
from shared.engine.options import Options
from shared.engine.state import Asked, CargoShip, Game, Space
from shared.engine.vocabulary import BuildingKey, Decision, Good, Role, Tile
from shared.table.chance import Draws
from shared.wire.position import read_position, write_building, write_space
from shared.wire.possible import PositionRefused


def opening(players: int = 3) -> Game:
    return set_up(players, Options(), Draws(b"positions")).game


def test_a_position_that_names_nothing_is_the_opening() -> None:
    assert read_position({}, opening()) == opening()


def test_what_is_named_replaces_the_opening() -> None:
    game = read_position(
        {
            "governor": 1,
            "roles_taken": {"mayor": 2, "craftsman": 1},
            "players": {"0": {"island": ["corn*", "forest"], "city": ["indigo_plant**"]}},
            "cargo_ships": [{"capacity": 4, "good": "corn", "loaded": 1}],
        },
        opening(),
    )
    assert list(game.roles_taken) == [Role.CRAFTSMAN, Role.MAYOR]
    assert game.awaiting == [Asked(0, Decision.CHOOSE_ROLE, game.version)]
    assert game.players[0].island == [Space(Tile.CORN, 1), Space(Tile.FOREST)]
    assert game.players[0].city == {BuildingKey.INDIGO_PLANT: 2}
    assert game.players[1] == opening().players[1]
    assert game.cargo_ships == [CargoShip(4, Good.CORN, 1)]


def test_ships_that_differ_may_be_named_by_their_index() -> None:
    game = read_position({"cargo_ships": {1: {"good": "corn", "loaded": 2}}}, opening())
    assert game.cargo_ships == [CargoShip(4), CargoShip(5, Good.CORN, 2), CargoShip(6)]


def test_a_ship_with_no_barrels_is_empty_and_has_its_room_by_default() -> None:
    game = read_position({"cargo_ships": [{"good": "corn", "loaded": 0}, {}]}, opening())
    assert game.cargo_ships == [CargoShip(4), CargoShip(5)]


def test_none_of_what_is_not_part_of_the_game_may_be_named() -> None:
    none = {"role_doubloons": {"prospector": 0}, "supply": {"buildings": {"library": 0}}}
    assert read_position(none, opening()) == opening()


def test_more_plantations_may_lie_face_up_than_are_turned_up() -> None:
    face_up = ["corn", "indigo", "sugar", "tobacco", "coffee"]
    assert read_position({"plantations": {"face_up": face_up}}, opening()).plantations.face_up == [
        *map(Tile, face_up)
    ]


def test_two_players_take_roles_by_turns() -> None:
    taken = {"mayor": 0, "settler": 0, "captain": 1}
    game = read_position({"roles_taken": taken}, opening(2))
    assert list(game.roles_taken) == [Role.MAYOR, Role.CAPTAIN, Role.SETTLER]
    assert game.awaiting[0].seat == 1


def test_tiles_and_buildings_are_written_with_a_star_per_colonist() -> None:
    assert write_space(Space(Tile.QUARRY, 1)) == "quarry*"
    assert write_building(BuildingKey.INDIGO_PLANT, 2) == "indigo_plant**"


@pytest.mark.parametrize(
    ("position", "pointer"),
    [
        ({"players": {0: {"doubloons": -1}}}, "/players"),
        ({"players": {0: {"doubloons": 2.5}}}, "/players"),
        ({"players": {0: {"doubloons": 10**400}}}, "/players"),
        ({"players": {0: {"hat": "red"}}}, "/players"),
        ({"players": {3: {}}}, "/players/3"),
        ({"governor": 3}, "/governor"),
        ({"turn": 1}, "/turn"),
        ({"roles_taken": {"mayor": 1}}, "/roles_taken"),
        ({"roles_taken": {"prospector": 0}}, "/roles_taken/prospector"),
        ({"roles_taken": {"mayor": 0, "trader": 1, "builder": 2}}, "/roles_taken"),
        (
            {"roles_taken": {"mayor": 0}, "role_doubloons": {"mayor": 1}},
            "/role_doubloons/mayor",
        ),
        ({"role_doubloons": {"prospector": 1}}, "/role_doubloons/prospector"),
        ({"players": {0: {"island": ["corn"] * 13}}}, "/players/0/island"),
        ({"players": {0: {"island": ["rye"]}}}, "/players/0/island/0"),
        ({"players": {0: {"island": ["corn**"]}}}, "/players/0/island/0"),
        ({"players": {0: {"island": ["corn", "forest*"]}}}, "/players/0/island/1"),
        ({"players": {0: {"city": ["wharf", "wharf*"]}}}, "/players/0/city"),
        ({"players": {0: {"city": ["wharf**"]}}}, "/players/0/city/0"),
        ({"players": {0: {"city": ["library"]}}}, "/players/0/city/0"),
        (
            {"players": {0: {"city": [key.value for key in list(BuildingKey)[:13]]}}},
            "/players/0/city",
        ),
        ({"supply": {"buildings": {"library": 1}}}, "/supply/buildings/library"),
        ({"plantations": {"face_up": ["quarry"]}}, "/plantations"),
        ({"cargo_ships": [{"capacity": 4, "loaded": 1}]}, "/cargo_ships/0"),
        ({"cargo_ships": [{"capacity": 4, "good": "corn", "loaded": 5}]}, "/cargo_ships/0"),
        ({"cargo_ships": [{"capacity": 4, "good": "corn", "loaded": 1}] * 2}, "/cargo_ships/0"),
        ({"cargo_ships": [{"capacity": 4, "good": "corn"}]}, "/cargo_ships/0"),
        ({"cargo_ships": [{"capacity": 4}] * 4}, "/cargo_ships"),
        ({"cargo_ships": [{"capacity": 4}] * 3 + [{}]}, "/cargo_ships/3"),
        ({"cargo_ships": {3: {"capacity": 4}}}, "/cargo_ships/3"),
        ({"trading_house": ["corn"] * 5}, "/trading_house"),
    ],
)
def test_the_impossible_is_refused_with_a_pointer(position: object, pointer: str) -> None:
    with pytest.raises(PositionRefused) as refusal:
        read_position(position, opening())
    assert refusal.value.pointer == pointer
