"""A refusal names the rule that is its reason."""

from __future__ import annotations

from typing import Any

import pytest

from shared.engine import Game, RuleViolation, legal, play, set_up
from shared.engine.commands import Guest, MoveGuests
from shared.engine.open_moves import open_moves
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey
from shared.table.chance import Draws
from shared.wire.moves import decode_move
from shared.wire.position import read_position

DRAW = Draws(b"refusals")
_VIOLET = """
    small_market hacienda construction_hut small_warehouse guesthouse office large_market
    small_wharf factory university library wharf guild_hall residence fortress customs_house
    city_hall
"""
EXPANSION = Options(
    buildings="custom", custom_buildings=tuple(BuildingKey(key) for key in _VIOLET.split())
)
PASS = {"type": "pass"}
CORN, QUARRY = ({"type": "take_plantation", "tile": tile} for tile in ("corn", "quarry"))
SHIP = {"type": "load_small_wharf", "goods": {"corn": 1}}


def after(city: list[str], role: str, *moves: dict[str, Any]) -> Game:
    """Seat 0, with these buildings and two barrels, takes the role; whoever is asked moves."""
    position = {
        "players": {0: {"island": [], "city": city, "goods": {"corn": 2, "sugar": 1}}},
        "plantations": {"face_up": ["corn"] * 4},
    }
    game = read_position(position, set_up(3, EXPANSION, DRAW).game)
    for move in ({"type": "choose_role", "role": role}, *moves):
        play(game, game.awaiting[0].seat, decode_move(move), DRAW)
    return game


def refusal(game: Game, move: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(RuleViolation) as refused:
        play(game, game.awaiting[0].seat, decode_move(move), DRAW)
    return refused.value.code, refused.value.rule


@pytest.mark.parametrize(
    ("city", "passes", "move"),
    [(["guesthouse*", "library"], 4, CORN), (["library*"], 3, QUARRY)],
)
def test_a_tile_left_is_the_librarys_and_a_quarry_left_the_huts(
    city: list[str], passes: int, move: dict[str, Any]
) -> None:
    game = after(city, "settler", *[PASS] * passes)
    assert refusal(game, move) == ("leftover_not_allowed", "8.2")


def test_who_has_no_small_wharf_or_has_used_it_is_told_of_the_small_wharf() -> None:
    assert refusal(after([], "captain"), SHIP) == ("small_wharf_not_usable", "8.2")
    game = after(["small_wharf*"], "captain")
    assert refusal(game, {**SHIP, "goods": {"corn": 3}}) == ("wrong_barrels", "8.2")
    assert refusal(after(["small_wharf*"], "captain", SHIP), SHIP)[1] == "8.2"


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_is_not_there_is_not_awaited(seat: int) -> None:
    game = after(["guesthouse*", "library"], "trader")
    with pytest.raises(RuleViolation) as refused:
        play(game, seat, MoveGuests((Guest(BuildingKey.LIBRARY),)), DRAW)
    assert refused.value.code == "not_awaited"
    assert legal(game, seat) == []
    assert open_moves(game, seat) == []


@pytest.mark.parametrize("players", [1, 6])
def test_a_number_of_players_that_no_game_has_is_refused(players: int) -> None:
    with pytest.raises(RuleViolation, match="2 to 5 players"):
        set_up(players, Options(), DRAW)
