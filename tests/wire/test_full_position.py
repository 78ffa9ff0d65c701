"""A state document is read back; what cannot be is refused, with a pointer to it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey, Decision
from shared.views.state import state_document
from shared.wire.full_position import read_full_position
from shared.wire.possible import PositionRefused
from tests.tables import Play

Document = dict[str, Any]
Change = Callable[[Document], object]

_VIOLET = """
    aqueduct forest_house hacienda storehouse guesthouse trading_post church small_wharf lighthouse
    library specialty_factory wharf cloister statue residence fortress city_hall
"""
FULL_CITY = """
    small_indigo_plant small_sugar_mill indigo_plant sugar_mill tobacco_storage coffee_roaster
    cloister statue residence
"""
_BESIDES = """
    id status visibility created_by created_at updated_at rules_version seed_commitment seed
    head_hash members seats finished scores winners phase turn end_trigger
"""
EXPANSION = Options(
    hidden_points=False,
    buildings="custom",
    custom_buildings=tuple(BuildingKey(key) for key in _VIOLET.split()),
)


@cache
def served(decision: str, *, drafted: bool = False) -> bytes:
    """A state with all totals in which somebody is asked for this."""
    options = Options(hidden_points=False, buildings="draft") if drafted else EXPANSION
    for seed in range(50):
        play = Play(3, options, rng=random.Random(seed)).start()
        while (game := play.table.game) is not None and not game.is_over:
            if any(asked.decision == decision for asked in game.awaiting):
                return state_document(play.table, None)
            play.move()
    raise AssertionError(f"nobody was asked for {decision}")


def refusal(document: object) -> str:
    with pytest.raises(PositionRefused) as refused:
        read_full_position(document)  # type: ignore[arg-type]  # as a request may bring anything
    assert refused.value.detail
    return refused.value.pointer


@pytest.mark.parametrize("decision", [d for d in Decision if d is not Decision.CHOOSE_BUILDING])
def test_every_decision_can_be_set_up(decision: Decision) -> None:
    document = json.loads(served(decision))
    game = read_full_position(document)
    assert [asked.decision for asked in game.awaiting] == [decision]
    assert [ship.capacity for ship in game.cargo_ships] == [4, 5, 6]


def test_what_says_whose_game_it_is_may_be_left_out() -> None:
    document = json.loads(served("choose_role"))
    whole = read_full_position(document)
    for key in _BESIDES.split():
        del document[key]
    assert read_full_position(document) == whole


@pytest.mark.parametrize(
    ("decision", "change", "pointer"),
    [
        ("choose_role", lambda d: d.update(hat="red"), "/hat"),
        ("choose_role", lambda d: d.update({"a/b~c": 1}), "/a~1b~0c"),
        ("choose_role", lambda d: d["supply"].update(hats=1), "/supply/hats"),
        ("choose_role", lambda d: d["supply"]["goods"].update(rye=1), "/supply/goods"),
        ("choose_role", lambda d: d.pop("awaiting"), ""),
        ("choose_role", lambda d: d["players"].pop(), "/role_doubloons"),
        ("choose_role", lambda d: d["players"][1].update(doubloons=-1), "/players/1/doubloons"),
        ("choose_role", lambda d: d["players"][1].update(doubloons=10**9), "/players/1/doubloons"),
        ("choose_role", lambda d: d["players"][1].update(doubloons="3"), "/players/1/doubloons"),
        ("choose_role", lambda d: d["players"][1].update(victory_points=None),
         "/players/1/victory_points"),
        ("choose_role", lambda d: d["players"][1].update(seat=0), "/players/1/seat"),
        ("choose_role", lambda d: d["players"][1].update(doubled="mayor"), "/players/1/doubled"),
        ("choose_role", lambda d: d["players"][0].update(island=[{"tile": "corn"}] * 13),
         "/players/0/island"),
        ("choose_role", lambda d: d["players"][0].update(
            island=[{"tile": "forest", "colonists": 1}]), "/players/0/island/0"),
        ("choose_role", lambda d: d["players"][0].update(city=[{"building": "office"}]),
         "/players/0/city/0"),
        ("choose_role", lambda d: d["players"][0].update(
            city=[{"building": "wharf", "colonists": 2}]), "/players/0/city/0"),
        ("choose_role", lambda d: d["players"][0].update(city=[{"building": "wharf"}] * 2),
         "/players/0/city"),
        ("choose_role", lambda d: d["supply"]["buildings"].pop("coffee_roaster"),
         "/supply/buildings"),
        ("choose_role", lambda d: d["supply"]["buildings"].pop("wharf"), "/supply/buildings"),
        ("choose_role", lambda d: d["supply"]["buildings"].update(office=1), "/supply/buildings"),
        ("choose_role", lambda d: d["options"].update(points_supply="126"), "/options"),
        ("choose_role", lambda d: d["options"].update(buildings="base"), "/options"),
        ("choose_role", lambda d: d.update(cargo_ships=d["cargo_ships"] * 2), "/cargo_ships"),
        ("choose_role", lambda d: d["cargo_ships"][0].update(capacity=0),
         "/cargo_ships/0/capacity"),
        ("choose_role", lambda d: d["cargo_ships"][0].update(good="corn", loaded=5),
         "/cargo_ships/0"),
        ("choose_role", lambda d: [s.update(good="corn", loaded=1) for s in d["cargo_ships"]],
         "/cargo_ships/0"),
        ("choose_role", lambda d: d.update(trading_house=["corn"] * 5), "/trading_house"),
        ("choose_role", lambda d: d["plantations"]["face_down"].update(quarry=1), "/plantations"),
        ("choose_role", lambda d: d.update(round=0), "/round"),
        ("choose_role", lambda d: d.update(governor=3), "/governor"),
        ("choose_role", lambda d: d.update(turn=(d["turn"] + 1) % 3), "/turn"),
        ("choose_role", lambda d: d.update(phase="mayor"), "/phase"),
        ("choose_role", lambda d: d.update(winners=[0]), "/winners"),
        ("choose_role", lambda d: d.update(awaiting=[]), "/awaiting"),
        ("choose_role", lambda d: d.update(awaiting=d["awaiting"] * 2), "/awaiting"),
        ("choose_role", lambda d: d["awaiting"][0].update(seat=7, decision_id=""),
         "/awaiting/0/seat"),
        ("choose_role", lambda d: d["awaiting"][0].update(decision="build"),
         "/awaiting/0/decision"),
        ("choose_role", lambda d: d["awaiting"][0].update(decision_id="3.4.5"),
         "/awaiting/0/decision_id"),
        ("choose_role", lambda d: d["roles_taken"].update(prospector=0),
         "/roles_taken/prospector"),
        ("choose_role", lambda d: d["phase_state"].update(
            guests_asked={"moment": "phase_start", "first": 0}),
         "/phase_state/guests_asked/moment"),
        ("choose_role", lambda d: d["phase_state"].update(drafted=[]), "/phase_state/drafted"),
        ("build", lambda d: d["roles_taken"].clear(), "/phase_state/phase/taker"),
        ("build", lambda d: d["phase_state"]["phase"].update(kind="trading"),
         "/phase_state/phase/kind"),
        ("build", lambda d: d["role_doubloons"].update(builder=1), "/role_doubloons/builder"),
        ("sell_good", lambda d: [p.update(goods={}, city=[]) for p in d["players"]],
         "/awaiting/0"),
        ("place_drawn_plantation", lambda d: d["phase_state"]["phase"].update(drawn="quarry"),
         "/phase_state/phase/drawn"),
        ("place_drawn_plantation", lambda d: d["phase_state"]["phase"].update(drew=False),
         "/phase_state/phase/drew"),
        ("place_drawn_plantation", lambda d: [
            p.update(island=[{"tile": "corn"}] * 12) for p in d["players"]],
         "/phase_state/phase/drawn"),
        ("take_extra_good", lambda d: d["awaiting"][0].update(
            seat=(d["awaiting"][0]["seat"] + 1) % 3, decision_id=""), "/awaiting/0/seat"),
        ("take_extra_good", lambda d: d["phase_state"]["phase"]["produced"].update({"3": {}}),
         "/phase_state/phase/produced"),
        ("load_goods", lambda d: d["phase_state"]["phase"].update(idle_turns=3),
         "/phase_state/phase/idle_turns"),
        ("load_goods", lambda d: d["phase_state"]["phase"].update(had_turn=[0, 0]),
         "/phase_state/phase/had_turn"),
        ("load_goods", lambda d: d["phase_state"]["phase"].update(
            private_ships_used={"0": ["lighthouse"]}),
         "/phase_state/phase/private_ships_used/0"),
        ("move_guests", lambda d: d["phase_state"]["guests_asked"].update(
            first=(d["phase_state"]["guests_asked"]["first"] + 1) % 3),
         "/phase_state/guests_asked/first"),
        ("move_guests", lambda d: [p.update(city=[]) for p in d["players"]], "/awaiting/0"),
    ],
)  # fmt: skip
def test_the_impossible_is_refused_with_a_pointer(
    decision: str, change: Change, pointer: str
) -> None:
    document = json.loads(served(decision))
    change(document)
    assert refusal(document) == pointer


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda d: d["phase_state"].update(drafted=["wharf", "wharf"]), "/phase_state/drafted/1"),
        (lambda d: d["phase_state"].update(drafted=["coffee_roaster"]), "/phase_state/drafted/0"),
        (lambda d: d["phase_state"].update(drafted=["wharf"]), "/awaiting/0/seat"),
        (lambda d: d["supply"]["buildings"].update(wharf=2), "/supply/buildings"),
        (lambda d: d["options"].update(buildings="random"), "/phase_state/drafted"),
        (lambda d: d.update(roles_taken={"mayor": 0}, turn=1), "/phase_state/drafted"),
    ],
)
def test_an_impossible_draft_is_refused(change: Change, pointer: str) -> None:
    document = json.loads(served("choose_building", drafted=True))
    assert read_full_position(document).drafted == []
    change(document)
    assert refusal(document) == pointer


@pytest.mark.parametrize("key", ["quarries", "colonists", "colonist_ship", "victory_points"])
def test_totals_may_be_off_as_in_a_fragment_of_a_game(key: str) -> None:
    document = json.loads(served("choose_role"))
    document["supply"][key] += 1
    assert getattr(read_full_position(document).supply, key) == document["supply"][key]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["supply"].update(victory_points=0),
        lambda d: d["players"][0].update(city=[{"building": key} for key in FULL_CITY.split()]),
        lambda d: d.update(end_trigger={"reason": "city", "round": d["round"] + 1}),
        lambda d: d["cargo_ships"][0].update(capacity=3),
        lambda d: d["cargo_ships"].pop(),
        lambda d: d["plantations"].update(face_up=["corn"] * 5),
    ],
)
def test_what_a_fragment_may_say_a_whole_state_may_say_too(change: Change) -> None:
    document = json.loads(served("choose_role"))
    change(document)
    assert read_full_position(document).is_over is False


def test_a_kind_of_which_there_is_no_tile_may_be_named() -> None:
    document = json.loads(served("choose_role"))
    document["plantations"]["face_down"] = {"corn": 0}
    assert read_full_position(document).plantations.face_down == {}
