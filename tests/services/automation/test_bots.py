"""Bots: whole games of every kind, and what they may not know."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Literal

import pytest

from services.automation.bots import BOTS, Bot, answer, planner, random_play
from services.automation.bots.moves import moves
from shared.engine import Game, decide, play, set_up
from shared.engine.commands import (
    Build,
    Command,
    LoadAssorted,
    MoveGuests,
    TakePlantation,
)
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey as Key

QUICK = BOTS | {"planner": partial(planner.choose, simulations=1)}
OPEN_ARGUMENTS = Options(
    buildings="custom",
    custom_buildings=(
        *(Key.AQUEDUCT, Key.FOREST_HOUSE, Key.BLACK_MARKET, Key.STOREHOUSE, Key.GUESTHOUSE),
        *(Key.TRADING_POST, Key.CHURCH, Key.SMALL_WHARF, Key.LIGHTHOUSE),
        *(Key.SPECIALTY_FACTORY, Key.LIBRARY, Key.UNION_HALL),
        *(Key.CLOISTER, Key.STATUE, Key.GUILD_HALL, Key.FORTRESS, Key.CITY_HALL),
    ),
)
"""All of Expansion I: every move with open arguments comes up."""


def new_game(players: int, options: Options, random: Random) -> Game:
    return set_up(players, options, lambda _number, among: random.randrange(among)).game


def play_on(game: Game, bots: Sequence[Bot], random: Random, moves: int = 10_000) -> list[Command]:
    """Play so many moves or to the end; of several awaited seats the last one answers first."""
    given: list[Command] = []
    while not game.is_over and len(given) < moves:
        seat = game.awaiting[-1].seat
        given.append(answer(bots[seat], game, seat, random))
        play(game, seat, given[-1], lambda _number, among: random.randrange(among))
    return given


@pytest.mark.parametrize("buildings", ["base", "random", "draft"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", BOTS)
def test_every_bot_plays_every_kind_of_game_to_its_end(
    name: str, players: int, buildings: Literal["base", "random", "draft"]
) -> None:
    for placement in ("in_order", "at_once"):
        random = Random(players)
        game = new_game(players, Options(buildings=buildings, placement=placement), random)
        play_on(game, [QUICK[name]] + [random_play.choose] * (players - 1), random)
        assert game.winners


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_plays_with_the_buildings_whose_moves_have_open_arguments(name: str) -> None:
    random = Random(1)
    game = new_game(3, OPEN_ARGUMENTS, random)
    play_on(game, [random_play.choose, QUICK[name], random_play.choose], random)
    assert game.winners


def test_random_play_comes_to_every_kind_of_move_with_open_arguments() -> None:
    random, given = Random(2), list[Command]()
    for _ in range(12):
        given += play_on(new_game(4, OPEN_ARGUMENTS, random), [random_play.choose] * 4, random)
    kinds = {type(command) for command in given}
    assert {MoveGuests, LoadAssorted} <= kinds
    assert any(isinstance(command, Build) and command.exchange for command in given)
    assert any(isinstance(command, TakePlantation) and command.as_forest for command in given)


def test_every_move_in_the_list_is_accepted() -> None:
    random = Random(3)
    game = new_game(4, OPEN_ARGUMENTS, random)
    while not game.is_over:
        seat = game.awaiting[0].seat
        choices = moves(game, seat)
        for command in choices:
            assert decide(game, seat, command, lambda _number, among: random.randrange(among))
        play(game, seat, random.choice(choices), lambda _number, among: random.randrange(among))


@pytest.fixture
def midgame() -> Game:
    """A game in which somebody holds points."""
    random = Random(4)
    game = new_game(4, Options(), random)
    play_on(game, [random_play.choose] * 4, random, moves=150)
    assert game.supply.victory_points < 100
    return game


def other_points(game: Game, seat: int) -> Game:
    """The same to this seat: one of the others holds what two held before."""
    other = game.clone()
    first, second = [player for place, player in enumerate(other.players) if place != seat][:2]
    first.victory_points, second.victory_points = 0, first.victory_points + second.victory_points
    assert other != game
    return other


def test_a_bot_is_shown_the_same_whatever_points_the_others_hold(midgame: Game) -> None:
    shown: list[Game] = []

    def bot(game: Game, seat: int, random: Random) -> Command:
        shown.append(game)
        return random_play.choose(game, seat, random)

    seat = midgame.awaiting[0].seat
    for game in (midgame, other_points(midgame, seat)):
        answer(bot, game, seat, Random(5))
    assert shown[0] == shown[1]


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_chooses_the_same_whatever_points_the_others_hold(name: str, midgame: Game) -> None:
    seat = midgame.awaiting[0].seat
    games = (midgame, other_points(midgame, seat))
    first, second = (answer(QUICK[name], game, seat, Random(5)) for game in games)
    assert first == second


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_repeatable_and_leaves_the_game_alone(name: str, midgame: Game) -> None:
    before, seat = midgame.clone(), midgame.awaiting[0].seat
    once = answer(QUICK[name], midgame, seat, Random(6))
    again = answer(QUICK[name], midgame, seat, Random(6))
    assert once == again
    assert midgame == before


def test_a_planner_stops_when_its_time_is_up(midgame: Game) -> None:
    quick = partial(planner.choose, simulations=1_000_000, seconds=0.05)
    seat = midgame.awaiting[0].seat
    assert answer(quick, midgame, seat, Random(7)) in moves(midgame, seat)
