"""Every case of the project's own collection, one test each."""

from collections import Counter
from pathlib import Path

import pytest

from tests.rule_cases.case import documents
from tests.rule_cases.run import failure

CASES = Path(__file__).with_name("cases")
ALL = list(documents([CASES]))


@pytest.mark.parametrize("document", [pytest.param(case, id=name) for name, case in ALL])
def test_the_engine_plays_as_the_case_says(document: object) -> None:
    assert failure(document) is None


def test_every_case_has_its_own_id() -> None:
    assert not {
        name: count for name, count in Counter(name for name, _ in ALL).items() if count > 1
    }


def test_the_collection_is_whole() -> None:
    assert len(ALL) >= 490
