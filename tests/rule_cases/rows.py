"""What proves which row of docs/rules.md; `python -m tests.rule_cases.rows` writes the list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import yaml
from msgspec import Struct

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules.md"
INDEX = ROOT / "docs" / "proofs.md"
CASES = Path(__file__).parent / "cases"
_ROWS = Path(__file__).parent / "rows.yaml"

_ANCHOR = re.compile(r'<a id="([0-9.]+-[a-z0-9-]+)"></a>')
_HEAD = """\
# The rows of the rules and what proves them

Every row of [rules.md](rules.md) with the [rule cases](rule-cases.md), and a few tests, that prove
it. Besides these, the cases of `random_base` and `random_all`, and random play under invariants,
prove no row in particular and all of them together. Written by `python -m tests.rule_cases.rows`
from `tests/rule_cases/rows.yaml`.

| row | proved by |
|---|---|
"""


class Proof(Struct):
    """A hand-made case."""

    id: str
    rule: str
    about: str
    file: str


def rows_of_the_rules() -> list[str]:
    """The anchors of all rows, in their order."""
    return _ANCHOR.findall(RULES.read_text())


def hand_made_cases() -> list[Proof]:
    """All cases but those of random play, which name no rule."""
    return [
        Proof(case["id"], case["rule"], case["about"], str(file.relative_to(ROOT)))
        for file in sorted(CASES.rglob("*.yaml"))
        for case in yaml.load(file.read_text(), yaml.CSafeLoader)
        if case["rule"] != "all"
    ]


def named() -> dict[str, list[str]]:
    """By row: ids of cases, with * for a family, and tests."""
    found: dict[str, list[str]] = yaml.load(_ROWS.read_text(), yaml.CSafeLoader)
    return found


def is_test(name: str) -> bool:
    return "::" in name


def proving(name: str, cases: list[Proof]) -> list[Proof]:
    """The cases that this id, or family, names."""
    return [case for case in cases if fnmatchcase(case.id, name)]


def page() -> str:
    """The list as docs/proofs.md holds it."""
    cases, names = hand_made_cases(), named()
    return _HEAD + "".join(
        f'| <a id="{row}"></a>[{row}](rules.md#{row}) | {", ".join(_links(names[row], cases))} |\n'
        for row in rows_of_the_rules()
    )


def _links(names: list[str], cases: list[Proof]) -> Iterator[str]:
    proofs = {case.id: case for name in names for case in proving(name, cases)}
    for case in proofs.values():
        yield f'[{case.id}](../{case.file} "{case.about.replace(chr(34), chr(39))}")'
    for name in filter(is_test, names):
        file, _, test = name.partition("::")
        yield f"[{test}](../{file})"


if __name__ == "__main__":
    INDEX.write_text(page())
