"""Requests made from the specification, and from what it forbids: each is answered as it says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from openapi_spec_validator import validate
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from services.commands.app import create_app as create_commands
from services.queries.app import create_app as create_queries
from shared.config import Settings
from tests.services.conftest import register

# Schemathesis itself does what Hypothesis warns of.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")

Case = schemathesis.Case[Any]
EXAMPLES = int(os.environ.get("HOSTILE_EXAMPLES", "5"))


def specification(app: Flask) -> dict[str, Any]:
    (api,) = app.extensions["flask-smorest"]["apis"].values()
    found: dict[str, Any] = api["ext_obj"].spec.to_dict()
    return found


UNCONNECTED = Settings("postgresql://", "redis://", "redis://", log_level="WARNING")
SPECIFICATIONS = {
    "commands": specification(create_commands(UNCONNECTED)),
    "queries": specification(create_queries(UNCONNECTED)),
}
OPERATIONS = [
    pytest.param(service, path, method, operation, id=operation["operationId"])
    for service, spec in SPECIFICATIONS.items()
    for path, item in spec["paths"].items()
    for method, operation in item.items()
    if method != "parameters"
]


@pytest.mark.parametrize("service", SPECIFICATIONS)
def test_the_specification_is_valid(service: str) -> None:
    validate(SPECIFICATIONS[service])


def test_operations_have_names_of_their_own() -> None:
    names = [parameters.id for parameters in OPERATIONS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("service", "path", "method", "operation"), OPERATIONS)
def test_an_operation_is_described(
    service: str, path: str, method: str, operation: dict[str, Any]
) -> None:
    assert operation["summary"] and operation["description"], (service, path, method)
    for content in with_content(operation):
        assert content.keys() & {"example", "examples"}, (service, path, method)
    for parameter in operation.get("parameters", []):
        assert "$ref" in parameter or parameter["description"], parameter
    assert operation["responses"]["default"] == {"$ref": "#/components/responses/Problem"}
    if "security" in operation and {} not in operation["security"]:
        assert {"401", "403"} <= set(operation["responses"])


def with_content(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is sent, and what is answered if it is accepted."""
    yield from operation.get("requestBody", {}).get("content", {}).values()
    for status, response in operation["responses"].items():
        if str(status).startswith("2"):
            yield from response.get("content", {}).values()


def open_objects(schema: object, place: str) -> Iterator[str]:
    """The places of objects of which not even the values' type is told."""
    match schema:
        case dict():
            values = schema.get("additionalProperties", True)
            if schema.get("type") == "object" and not schema.get("properties") and values is True:
                yield place
            for key, value in schema.items():
                if key not in {"example", "examples"}:
                    yield from open_objects(value, f"{place}/{key}")
        case list():
            for value in schema:
                yield from open_objects(value, place)
        case _:
            pass


@pytest.mark.parametrize("service", SPECIFICATIONS)
def test_no_object_is_left_open_but_an_events_body(service: str) -> None:
    """What that holds, by type, is in docs/events.md."""
    spec = SPECIFICATIONS[service]
    assert set(open_objects(spec, "")) == {"/components/schemas/AuditItem/properties/body"}


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize(("service", "path", "method", "operation"), OPERATIONS)
def test_every_request_is_answered_as_the_specification_says(  # noqa: PLR0917
    service: str,
    path: str,
    method: str,
    operation: dict[str, Any],
    mode: GenerationMode,
    commands: FlaskClient,
    queries: FlaskClient,
) -> None:
    """Never a 5xx; what does not fit is refused, and what fits is refused by the rules at most."""
    app = {"commands": commands, "queries": queries}[service].application
    schema = schemathesis.openapi.from_dict(SPECIFICATIONS[service])
    schema.app = app
    caller = register(commands)

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(schema[path][method].as_strategy(generation_mode=mode))
    def call(case: Case) -> None:
        answer = case.call_and_validate(headers=caller, excluded_checks=[positive_data_acceptance])
        if mode is GenerationMode.POSITIVE:
            assert "/problems/invalid" not in str(answer.text), operation["operationId"]

    call()
