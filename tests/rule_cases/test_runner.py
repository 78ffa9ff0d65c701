"""The runner itself: what it must find, and what it must not let pass."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.rule_cases.__main__ import main
from tests.rule_cases.case import documents
from tests.rule_cases.run import failure

SETTLER = {"seat": 0, "move": {"type": "choose_role", "role": "settler"}}


def case(**changes: object) -> dict[str, object]:
    return {"id": "a", "rule": "3", "about": "A case.", "given": {"players": 3}, **changes}


def test_what_is_named_is_compared_and_nothing_else() -> None:
    assert failure(case(when=[SETTLER], then={"phase": "settler", "players": {1: {}}})) is None


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"then": {"round": 2}}, "then: expected round 2, found 1"),
        ({"then": {"round": True}}, "then: expected round True, found 1"),
        ({"then": {"rounds": 1}}, "then: expected rounds 1, found no such key"),
        ({"then": {"players": {3: {}}}}, "then: expected players.3 {}, found no such key"),
        ({"then": {"roles_taken": {"mayor": 0}}}, "then: expected roles_taken.mayor 0, found no"),
        ({"when": [{"expect": {"round": 2}}]}, "step 1: expected round 2"),
        ({"when": [{"seat": 5, "move": SETTLER["move"]}]}, "step 1: expected"),
        ({"given": {"players": 6}}, "given: expected a game"),
        ({"then": {"cargo_ships": []}}, "then: expected cargo_ships []"),
        ({"then": {"scores": {0: {}}}}, "then: expected scores {0: {}}, found None"),
        ({"when": [{**SETTLER, "rejected": True}]}, "step 1: expected"),
        ({"when": [SETTLER, SETTLER]}, "step 2: expected"),
        ({"when": [{"seat": 0, "legal": []}]}, "step 1: expected legal moves []"),
        ({"when": [{"seat": 0, "legal_excludes": [SETTLER["move"]]}]}, "step 1: expected no"),
        ({"when": [{"seat": 0, "legal_includes": [{"type": "pass"}]}]}, "step 1: expected legal"),
        ({"given": {"players": 3, "rejected": True}}, "given: expected a refusal"),
        ({"given": {"players": 4, "options": {"points_supply": "126"}}}, "given: expected a game"),
    ],
)
def test_a_difference_is_a_failure(changes: dict[str, object], found: str) -> None:
    assert str(failure(case(**changes))).startswith(found)


@pytest.mark.parametrize(
    "changes",
    [
        {"comment": "?"},
        {"when": [{"seat": 0, "moves": {}}]},
        {"when": [{"seat": 0, "rejected": True}]},
        {"given": {"players": 3, "options": {"colour": "red"}}},
        {"given": {"players": 3, "options": {"placement": "later"}}},
        {"when": [{"move": SETTLER["move"]}]},
        {"when": [{"legal": []}]},
        {"given": {"players": 3, "buildings": "random", "position": {"round": 2}}},
        {"given": {"players": 3, "buildings": "draft", "options": {"buildings": "draft"}}},
        {"given": {"players": 3, "buildings": ["castle"], "rejected": True}},
        {"given": {"players": 3, "options": {"placement": "later"}, "rejected": True}},
        {"given": {"players": 3, "position": {"cargo_ships": [{"good": "corn"}]}}},
        {"given": {"players": 3, "position": {"weather": "fine"}}},
        {"given": {"players": 3, "rejected": True}, "then": {"round": 1}},
        {"when": [{"seat": 0, "legal": [{"type": "pass", "politely": True}]}]},
    ],
)
def test_what_cannot_be_read_is_a_failure(changes: dict[str, object]) -> None:
    assert str(failure(case(**changes))).startswith("unreadable: ")


NOBODY = {"type": "move_guests", "guests": [{"to": 0}]}
CORN = {"plantations": {"face_up": ["corn", "indigo", "sugar", "tobacco", "coffee"]}}
ARRANGED = {
    "given": {"players": 3, "position": {"players": {0: {"island": ["corn"] * 3}}}},
    "when": [
        {"seat": 0, "move": {"type": "choose_role", "role": "mayor"}},
        {"seat": 0, "move": {"type": "place_colonists", "island": [1, 1, 0]}},
    ],
    "then": {"players": {0: {"island": ["corn*", "corn*", "corn"]}}},
}


@pytest.mark.parametrize(
    "changes",
    [
        {"id": 7, "rule": 4.6, "about": None},
        {"rule": ["4.6", 8.2]},
        {"when": None, "then": None},
        {"given": {"players": 3, "buildings": None, "options": None, "position": None}},
        {"given": {"players": 3, "buildings": "random", "position": {}}},
        {"given": {"players": 5, "options": {"points_supply": 126}}},
        {"given": {"players": 3, "options": {"buildings": "draft"}}},
        {"given": {"players": 3, "position": CORN}},
        {"given": {"players": 3, "position": {"cargo_ships": {1: {"good": "corn", "loaded": 2}}}}},
        {"given": {"players": 3, "position": {"role_doubloons": {"prospector": 0}}}},
        {"given": {"players": 6, "rejected": True}},
        {"given": {"players": 1, "rejected": True}},
        {"when": [{"expect": {"round": 1}}]},
        {"when": [{"seat": 0, "move": None, "expect": None}]},
        {"when": [{"seat": 5, "legal": []}]},
        {"when": [{"seat": 5, "move": NOBODY, "rejected": True}]},
        {"when": [{"seat": -1, "move": NOBODY, "rejected": True, "legal": []}]},
        {"then": {"scores": {}, "end_trigger": {}, "roles_taken": {}, "players": {"0": {}}}},
        {"when": [SETTLER], "then": {"roles_taken": {}}},
        ARRANGED,
    ],
)
def test_what_can_be_understood_is_read(changes: dict[str, object]) -> None:
    assert failure(case(**changes)) is None


def test_a_case_that_breaks_the_runner_is_a_failure() -> None:
    stored = {"seat": 5, "legal": [{"type": "store_goods"}]}
    assert str(failure(case(when=[stored]))).startswith("crashed: IndexError")


def test_a_kind_kept_whole_may_be_named_with_no_single_barrels() -> None:
    ships = {
        n: {"good": good, "loaded": 1} for n, good in enumerate(["indigo", "sugar", "tobacco"])
    }
    held = {"goods": {"corn": 5, "coffee": 2}, "city": ["small_warehouse*"]}
    kept = {"type": "store_goods", "warehouses": ["corn"], "barrels": {"corn": 0, "coffee": 1}}
    changes = case(
        given={"players": 3, "position": {"cargo_ships": ships, "players": {0: held}}},
        when=[
            {"seat": 0, "move": {"type": "choose_role", "role": "captain"}},
            {"seat": 0, "move": {**kept, "barrels": {"corn": 1}}, "rejected": True},
            {"seat": 0, "move": kept, "legal_includes": [kept]},
        ],
        then={"players": {0: {"goods": {"corn": 5, "coffee": 1}}}},
    )
    assert failure(changes) is None


def test_a_map_takes_in_others_and_has_the_last_word(tmp_path: Path) -> None:
    (tmp_path / "cases.yaml").write_text(
        "- &a {id: a, rule: '3', about: A, given: &g {players: 3}, then: {round: 1}}\n"
        "- {<<: *a, id: b, given: {<<: [{players: 4}, *g], players: 5}, then: {round: 1}}\n"
        "- {<<: 1}\n"
    )
    found = {name: failure(document) for name, document in documents([tmp_path])}
    assert found.pop("a") is found.pop("b") is None
    assert len(found) == 1
    assert None not in found.values()


def test_a_fault_of_one_case_leaves_the_others_of_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = "{id: %s, rule: '3', about: A, given: {players: 3}}"
    faults = ["{id: b, id: b}", "{[b]: 1}", "b", "{id: b, given: {players: 6}}"]
    text = "".join(f"- {line}\n" for line in [good % "a", *faults, good % "c"])
    (tmp_path / "cases.yaml").write_text(text)
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 4 failed"


@pytest.mark.parametrize("text", ["- {a: 1, a: 2}", "{a: 1}", "[", "- 1", "# nothing", "", "\0"])
def test_a_file_that_is_no_list_of_cases_is_a_failure(tmp_path: Path, text: str) -> None:
    (tmp_path / "cases.yaml").write_text(text)
    assert [failure(document) for _, document in documents([tmp_path])] != [None]


def test_lists_without_order_and_missing_numbers_match() -> None:
    then = {"supply": {"buildings": {"statue": 0}}, "plantations": {"discards": {"corn": 0}}}
    position = {"trading_house": ["corn", "sugar"]}
    given = {"players": 3, "position": position}
    assert failure(case(given=given, then={**then, "trading_house": ["sugar", "corn"]})) is None


def test_the_command_counts_and_says_what_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [case(), case(id="b", then={"round": 2})]
    (tmp_path / "cases.yaml").write_text(yaml.safe_dump(cases))
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "b then: expected round 2, found 1",
        "1 passed, 1 failed",
    ]


def test_the_command_fails_when_there_is_no_case(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 1
    assert main([str(tmp_path / "missing.yaml")]) == 1
    assert main([]) == 2
