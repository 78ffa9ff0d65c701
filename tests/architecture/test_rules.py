"""Rule numbers tie the rules, the code and the cases together."""

import re
from collections.abc import Iterator

import yaml

from shared.engine.errors import RuleViolation
from tests.architecture.source import ROOT, modules

RULES = (ROOT / "docs" / "rules.md").read_text()
SECTIONS = set(re.findall(r"^##+ ([0-9.]+[0-9]|[0-9]+)\b", RULES, re.MULTILINE))
POINTS = {f"3.{number}" for number in range(5)}
"""The numbered points of section 3."""


def violations(kind: type[RuleViolation] = RuleViolation) -> Iterator[type[RuleViolation]]:
    for further in kind.__subclasses__():
        yield further
        yield from violations(further)


def test_the_rules_have_their_sections() -> None:
    assert {"1", "3", "4.1", "4.7", "5", "8.2", "11"} <= SECTIONS
    assert all(f"\n{point[2:]}. " in RULES for point in POINTS)


def test_every_refusal_has_a_code_of_its_own_and_a_rule_that_exists() -> None:
    kinds = list(violations())
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert "rule_violation" not in {kind.code for kind in kinds}
    assert {kind.rule for kind in kinds} <= SECTIONS
    assert all(kind.sentence.endswith(".") for kind in kinds)


def test_every_refusal_is_raised_somewhere() -> None:
    engine = "".join(
        (ROOT / path).read_text()
        for path, _ in modules(ROOT / "shared" / "engine")
        if path.name != "errors.py"
    )
    assert [kind.__name__ for kind in violations() if kind.__name__ not in engine] == []


def test_every_rule_named_in_the_code_exists() -> None:
    for path, _ in modules(ROOT / "shared"):
        for named in re.findall(r"Rules ((?:[0-9.]+(?:, | and )?)+)", (ROOT / path).read_text()):
            for section in re.findall(r"[0-9]+(?:\.[0-9]+)?", named):
                assert section in SECTIONS | POINTS, f"{path} names Rules {section}"


def test_every_case_names_a_rule_that_exists() -> None:
    for file in (ROOT / "tests" / "rule_cases" / "cases").rglob("*.yaml"):
        for case in yaml.load(file.read_text(), yaml.CSafeLoader):
            assert case["rule"] in SECTIONS | POINTS | {"all"}, case["id"]


def test_every_section_that_can_be_proved_has_a_case() -> None:
    cases = "".join(
        file.read_text() for file in (ROOT / "tests" / "rule_cases" / "cases").rglob("*.yaml")
    )
    proved = set(re.findall(r'rule: "([0-9.]+)"', cases))
    assert SECTIONS - {"4", "8", "11"} <= proved | {point.partition(".")[0] for point in proved}
