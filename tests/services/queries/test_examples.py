"""The answers that the specification shows are those given now."""

from __future__ import annotations

from collections.abc import Callable

from flask.testing import FlaskClient

from services.queries.examples import EXAMPLES
from tests.services.queries.conftest import Archive
from tests.services.queries.record import answers


def test_examples_are_as_recorded(
    queries: FlaskClient, archive: Archive, project: Callable[[], None]
) -> None:
    now = answers(queries, archive, project)
    assert now == EXAMPLES, "run: python -m tests.services.queries.record"
