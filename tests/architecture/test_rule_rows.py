"""Every row of docs/rules.md is tied to what proves it."""

from __future__ import annotations

import re

from tests.architecture.test_rules import RULES, SECTIONS, violations
from tests.rule_cases.rows import (
    INDEX,
    ROOT,
    hand_made_cases,
    is_test,
    named,
    page,
    proving,
    rows_of_the_rules,
)

CASES = hand_made_cases()


def test_every_section_has_an_anchor_that_refusals_lead_to() -> None:
    anchors = set(re.findall(r'^##+ .* <a id="([0-9.]+)"></a>$', RULES, re.MULTILINE))
    assert anchors == SECTIONS
    assert {violation.rule for violation in violations()} <= anchors


def test_every_row_has_one_anchor_and_leads_to_its_cases() -> None:
    rows = rows_of_the_rules()
    assert len(set(rows)) == len(rows)
    sections = re.findall(r"^##+ ([0-9.]*[0-9])\b.*\n((?:(?!#).*\n)*)", RULES, re.MULTILINE)
    for section, text in sections:
        if section == "11":
            continue
        for line in filter(is_row, text.splitlines()):
            if section in ("1", "2") and line.startswith("|"):
                continue
            (anchor,) = re.findall(r'<a id="([0-9.]+-[a-z0-9-]+)"></a>', line)
            assert anchor.startswith(f"{section}-"), line
            assert f"([cases](proofs.md#{anchor}))" in line


def is_row(line: str) -> bool:
    """A bullet, a numbered point, a paragraph or a row of a table, but not the table's head."""
    return bool(line) and not line.startswith(("|---", "| option |"))


def test_every_row_is_proved() -> None:
    names = named()
    assert list(names) == rows_of_the_rules()
    for row, proofs in names.items():
        assert proofs, row
        for name in proofs:
            if is_test(name):
                file, _, test = name.partition("::")
                assert f"def {test}(" in (ROOT / file).read_text(), name
            else:
                assert proving(name, CASES), f"{row}: no case is called {name}"


def test_every_case_proves_a_row_of_its_rule() -> None:
    for case in CASES:
        rows = [row for row, names in named().items() for n in names if proving(n, [case])]
        assert rows, f"{case.id} proves no row"
        section = case.rule if case.rule in SECTIONS else case.rule.partition(".")[0]
        assert any(row.startswith(f"{section}-") for row in rows), (case.id, case.rule, rows)


def test_the_list_is_as_written() -> None:
    assert INDEX.read_text() == page(), "run: python -m tests.rule_cases.rows"
