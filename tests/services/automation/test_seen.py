"""What a bot is shown of a game, on the engine and over the API."""

from random import Random
from typing import Any, Literal

import msgspec
import pytest

from services.automation.bots import read_seen, seen_by
from shared.engine import Game
from shared.engine.options import Options
from shared.views.state import state_document
from tests.tables import Play


def running(players: int, options: Options, moves: int) -> Play:
    return Play(players, options, rng=Random(players)).start().moves(moves)


@pytest.fixture
def game() -> Game:
    found = running(4, Options(), moves=150).table.game
    assert found is not None
    return found


def test_a_seat_sees_its_own_points_and_of_the_others_what_they_have_together(game: Game) -> None:
    game.supply.victory_points = 80
    for player, points in zip(game.players, (2, 9, 0, 9), strict=True):
        player.victory_points = points
    seen = seen_by(game, 1)
    assert [player.victory_points for player in seen.players] == [4, 9, 4, 3]
    assert [player.victory_points for player in game.players] == [2, 9, 0, 9]


def test_points_that_lie_open_are_seen(game: Game) -> None:
    game.options = Options(hidden_points=False)
    game.players[0].victory_points = 13
    assert seen_by(game, 1).players[0].victory_points == 13


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("buildings", ["base", "random", "draft"])
@pytest.mark.parametrize(("players", "supply"), [(2, "standard"), (5, "126")])
def test_the_state_that_the_api_shows_a_seat_is_read_as_the_same_game(
    players: int,
    supply: Literal["standard", "126"],
    buildings: Literal["base", "random", "draft"],
    hidden: bool,
) -> None:
    options = Options(buildings=buildings, hidden_points=hidden, points_supply=supply)
    play = running(players, options, moves=0)
    for _ in range(6):
        play.moves(25)
        table = play.table
        assert table.game is not None
        for seat in range(players):
            shown: dict[str, Any] = msgspec.json.decode(state_document(table, seat))
            if not table.game.is_over:
                assert read_seen(shown, seat) == seen_by(table.game, seat)
