"""`openapi.yaml` says what the code does, once."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from openapi_spec_validator import validate

from services.stack.spec import Document, SpecConflictError, exported, merge

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"


def document(**paths: Document) -> Document:
    return {"openapi": "3.1.0", "info": {}, "paths": {f"/{key}": of for key, of in paths.items()}}


def test_the_committed_specification_is_what_the_code_exports() -> None:
    assert COMMITTED.read_text() == exported(), "run `make spec` and commit openapi.yaml"


def test_the_committed_specification_is_valid() -> None:
    validate(yaml.safe_load(COMMITTED.read_text()))


def test_services_may_share_a_path_but_not_an_operation() -> None:
    read, change = document(games={"get": {}}), document(games={"post": {}})
    assert merge([read, change])["paths"] == {"/games": {"get": {}, "post": {}}}
    with pytest.raises(SpecConflictError, match="GET /games is described twice"):
        merge([read, read])


def test_a_name_means_the_same_in_all_services() -> None:
    one = document() | {"components": {"schemas": {"Game": {"type": "object"}}}}
    other = document() | {"components": {"schemas": {"Game": {"type": "string"}}}}
    assert merge([one, one])["components"] == one["components"]
    with pytest.raises(SpecConflictError, match="schemas: two different descriptions of Game"):
        merge([one, other])
