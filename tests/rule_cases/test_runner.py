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
        {"given": {"players": 3, "buildings": "random", "position": {}}},
        {"given": {"players": 3, "position": {"weather": "fine"}}},
        {"given": {"players": 3, "rejected": True}, "then": {"round": 1}},
        {"when": [{"seat": 0, "legal": [{"type": "pass", "politely": True}]}]},
    ],
)
def test_what_cannot_be_read_is_a_failure(changes: dict[str, object]) -> None:
    assert str(failure(case(**changes))).startswith("unreadable: ")


@pytest.mark.parametrize("text", ["- {a: 1, a: 2}", "{a: 1}", "[", "- 1"])
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
