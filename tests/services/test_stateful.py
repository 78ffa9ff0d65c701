"""Requests that follow one another by the specification's links, some of them spoilt on the way.

Whatever comes of them is answered as the specification says, and never by a 5xx.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import hypothesis
import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, seed
from hypothesis.errors import FlakyStrategyDefinition
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from services.stack.app import at_one_origin, both
from services.stack.spec import NOWHERE, merge, specification
from tests.services.queries.conftest import Archive, archive, project
from tests.tables import Play

__all__ = ["archive", "project"]

# Schemathesis itself does what Hypothesis warns of.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")

Case = schemathesis.Case[Any]
RUNS = int(os.environ.get("HOSTILE_RUNS", "2"))
PROFILE = hypothesis.settings(
    max_examples=4,
    stateful_step_count=30,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SPECIFICATION = merge(map(specification, both(NOWHERE)))


@pytest.mark.parametrize("number", range(RUNS))
def test_a_chain_of_requests_is_answered_as_the_specification_says(
    number: int,
    archive: Archive,
    project: Callable[[], None],
    commands: FlaskClient,
    queries: FlaskClient,
) -> None:
    assert queries.get("/v1/games").status_code == 200  # lists are complete from now on
    schema = schemathesis.openapi.from_dict(SPECIFICATION)
    schema.app = at_one_origin(commands.application, queries.application)
    answered: dict[str, set[int]] = {}

    class Table(schema.as_state_machine()):  # type: ignore[misc]
        """Three players of a running game, of which the first makes most requests."""

        def setup(self) -> None:
            play = Play(3).start().store(archive.store)
            project()
            self.callers = archive.players(play)
            self.count = 0

        def get_call_kwargs(self, case: Case) -> dict[str, Any]:
            """Ask as whoever is awaited first, but for every sixth request."""
            self.count += 1
            if self.count % 4:
                case.headers.pop("If-Match", None)
            caller = 0 if self.count % 6 else 1 + self.count // 6 % 2
            return {"headers": self.callers[caller]}

        def validate_response(self, response: Response, case: Case, **_: Any) -> None:
            answered.setdefault(case.operation.definition.raw["operationId"], set()).add(
                response.status_code
            )
            case.validate_response(response, checks=CHECKS)

    # Ids differ from run to run, and Hypothesis minds that; the next number begins anew.
    with suppress(FlakyStrategyDefinition):
        seed(number)(Table).run(settings=PROFILE)
    reached = {name for name, statuses in answered.items() if min(statuses) < 300}
    assert len(reached) > 5
