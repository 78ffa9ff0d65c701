"""Only buildings with something special to say are asked, and nothing is lost by that."""

import inspect

import pytest

from shared.engine import set_up
from shared.engine.buildings.base import Building
from shared.engine.buildings.catalog import CATALOGS, PRINTED
from shared.engine.options import Options
from shared.engine.state import Player
from shared.table.chance import Draws

GAME = set_up(3, Options(), Draws(b"answers")).game
OWNERS = [
    Player(0, [], dict.fromkeys(PRINTED, 1), {}),
    Player(0, [], {key: number % 2 for number, key in enumerate(PRINTED)}, {}),
    Player(0, [], dict.fromkeys(PRINTED, 0), {}),
]
QUESTIONS = {
    name: question
    for name, question in vars(Building).items()
    if not name.startswith("_") and inspect.isfunction(question)
}
PLAIN = {n: q for n, q in QUESTIONS.items() if list(inspect.signature(q).parameters) == ["self"]}


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("owner", OWNERS)
def test_who_is_not_asked_would_have_answered_as_most_do(name: str, owner: Player) -> None:
    usual = getattr(next(iter(PRINTED.values())), name)()
    every = {building.key: getattr(building, name)() for building in GAME.active(owner)}
    special = {key: answer for key, answer in every.items() if answer != usual}
    assert GAME.answers(owner, PLAIN[name]) == special


@pytest.mark.parametrize("name", QUESTIONS)
def test_those_asked_are_occupied_and_come_in_the_order_of_building(name: str) -> None:
    owner = Player(0, [], dict.fromkeys(reversed([*PRINTED]), 1), {})
    asked = GAME.answering(owner, QUESTIONS[name])
    assert asked == [building for building in GAME.active(owner) if building in asked]
    assert {type(building) for building in asked} == {
        type(building) for building in PRINTED.values() if name in vars(type(building))
    } - {Building}


@pytest.mark.parametrize("name", PLAIN)
def test_the_costs_that_an_option_swaps_change_no_answer(name: str) -> None:
    answers = [
        [getattr(building, name)() for building in catalog.values()]
        for catalog in CATALOGS.values()
    ]
    assert answers[0] == answers[1]
