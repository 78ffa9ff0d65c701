"""The arena: fair schedules, right intervals, and a difference in strength that can be seen."""

from argparse import ArgumentParser, Namespace

import pytest

from services.automation import arena


def test_the_first_bot_takes_each_seat_in_turn() -> None:
    matches = arena.schedule(["planner", "greedy"], 3, "base", 4, "x")
    assert [match.bots.index("planner") for match in matches] == [0, 1, 2, 0]
    assert all(match.bots.count("greedy") == 2 for match in matches)
    assert len({match.seed for match in matches}) == 4


def test_a_single_kind_of_bot_plays_itself() -> None:
    assert arena.schedule(["random"], 2, "base", 1, "x")[0].bots == ("random", "random")


def test_a_match_has_one_outcome() -> None:
    match = arena.Match(("random", "random", "random"), "random", "x")
    assert arena.contest(match) == arena.contest(match)
    assert sum(arena.contest(match).wins) == pytest.approx(1)


def test_a_shared_victory_counts_in_parts() -> None:
    match = arena.Match(("greedy", "random", "greedy"), "base", "x")
    tallies = arena.tallies([match], [arena.Outcome((0.5, 0.0, 0.5), (40, 20, 40))])
    assert (tallies["greedy"].wins, tallies["greedy"].played) == (1.0, 2)
    assert (tallies["random"].wins, tallies["random"].points) == (0.0, 20)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_is_the_one_of_wilson(wins: int, games: int, low: float, high: float) -> None:
    assert arena.interval(wins, games) == pytest.approx((low, high), abs=5e-5)


def parsed(*words: str) -> Namespace:
    parser = ArgumentParser()
    arena.configure(parser)
    return parser.parse_args(words)


def test_the_table_has_a_row_for_each_bot_in_each_kind_of_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "--bots random greedy --players 2 3 --games 2 --buildings base random"
    assert arena.run(parsed(*words.split())) == 0
    _, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[:4] for row in rows] == [
        [players, buildings, name, games]
        for buildings in ("base", "random")
        for players, others in (("2", "2"), ("3", "4"))
        for name, games in (("random", "2"), ("greedy", others))
    ]


@pytest.mark.parametrize("number", ["0", "-1", "2.5", "many"])
def test_what_is_no_number_of_games_is_refused(
    number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parsed("--games", number)
    assert "--games: it is a number, 1 or more" in capsys.readouterr().err


@pytest.mark.parametrize(("players", "buildings"), [(3, "base"), (4, "random"), (5, "base")])
def test_one_greedy_player_beats_random_ones(players: int, buildings: arena.Buildings) -> None:
    matches = arena.schedule(["greedy", "random"], players, buildings, 4, "test")
    tally = arena.tallies(matches, map(arena.contest, matches))["greedy"]
    low, _ = arena.interval(tally.wins, tally.played)
    assert low > 1 / players
