"""What is said of faulty values: where they are and what they must be, and no library's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.commands.app import create_app as create_commands
from services.queries.app import create_app as create_queries
from shared.config import Settings
from tests.services.conftest import closing, register

Document = dict[str, Any]

NOWHERE = Settings("postgresql://", "redis://", "redis://", log_level="WARNING")
ANYTHING: list[object] = [
    *(None, True, -1, 2.5, 10**10),
    *("", "frob", "José Müller", "two\nlines", "x" * 300),
    *([], [None], ["frob"], [-1], [["frob"]], ["corn"] * 99),
    *({}, {"frob": 1}, {"type": "frob"}, {"type": ["frob"]}, {"wharf": 9}),
]
WORDS = ["", "frob", "-1", "0", "1.5", "99999999999999999999", "%0A", "01a2,02b3"]
A_LIBRARYS = re.compile(
    "Expected `|Invalid |Not a valid|Missing data|Unknown field|Unsupported|Field may not"
    "|Length must|er than m|er than or|Object (contains|missing)|does not match"
)
OURS = re.compile(r"(Must|Neither|Not an object)\b.*\.|Is not known here\.", re.DOTALL)


def spec_of(app: Flask) -> Document:
    (api,) = app.extensions["flask-smorest"]["apis"].values()
    found: Document = api["ext_obj"].spec.to_dict()
    return found


COMMANDS, QUERIES = spec_of(create_commands(NOWHERE)), spec_of(create_queries(NOWHERE))
BODIES = {  # one of those that take the same
    content["schema"]["$ref"]: (method, path, content)
    for path, item in COMMANDS["paths"].items()
    for method, operation in item.items()
    if method != "parameters"
    for content in operation.get("requestBody", {}).get("content", {}).values()
}
PARAMETERS = [
    pytest.param(path, names)
    for path, item in QUERIES["paths"].items()
    if (names := {p["name"] for p in item["get"].get("parameters", []) if p.get("in") == "query"})
]


def sample(content: Document) -> Document:
    """A body that fits."""
    first = next(iter(content.get("examples", {"": {}}).values()))
    found: Document = content.get("example") or first["value"]
    return found


def spoiled(schema: Document, good: object, depth: int = 0) -> Iterator[object]:
    """Whatever may be wrong with a value, or with a part of it while the rest is as it was."""
    schema = resolved(schema)
    yield from ANYTHING
    for form in schema.get("oneOf", []):
        yield from spoiled(form, {}, depth)
    if depth == 3:
        return
    rest = good if isinstance(good, dict) else {}
    for name, inner in schema.get("properties", {}).items():
        for value in spoiled(inner, rest.get(name), depth + 1):
            yield {**rest, **kind(schema), name: value}
    if "items" in schema:
        yield from ([value] for value in spoiled(schema["items"], {}, depth + 1))


def resolved(schema: Document) -> Document:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Document = COMMANDS["components"]["schemas"][name] if name else schema
    return found


def kind(schema: Document) -> Document:
    """The type of a move, without which nothing else of it is looked at."""
    values = schema.get("properties", {}).get("type", {}).get("enum", [])
    return {"type": values[0]} if len(values) == 1 else {}


@pytest.fixture
def client(no_redis: Settings) -> Iterator[FlaskClient]:
    """A command service that limits nobody."""
    with closing(create_commands(replace(no_redis, log_level="ERROR"))) as client:
        yield client


@pytest.fixture
def reader(no_redis: Settings) -> Iterator[FlaskClient]:
    with closing(create_queries(replace(no_redis, log_level="ERROR"))) as client:
        yield client


def filled(path: str) -> str:
    return re.sub(r"\{.*?\}", str(UUID(int=1)), path)


def well_said(answer: TestResponse) -> Document | None:
    """The problem document of a schema refusal, in which nothing is said badly."""
    if answer.status_code < 400:
        return None
    document: Document = answer.get_json()
    if document["code"] not in {"invalid", "impossible_position"}:
        return None
    faults = document["errors"]
    assert faults and not A_LIBRARYS.search(document["detail"]), document
    assert not any(A_LIBRARYS.search(fault["detail"]) for fault in faults), document
    if document["code"] == "invalid":
        assert all(OURS.fullmatch(fault["detail"]) for fault in faults), document
        place = faults[0].get("parameter") or faults[0]["pointer"][1:].replace("/", ".") or "body"
        assert document["detail"].startswith(f"{place}: "), document
    return document


@pytest.mark.parametrize(("method", "path", "content"), BODIES.values(), ids=BODIES)
def test_a_fault_of_a_body_is_told_with_its_place_and_in_our_words(
    client: FlaskClient, method: str, path: str, content: Document
) -> None:
    who, told = register(client), 0
    for body in spoiled(content["schema"], sample(content)):
        answer = client.open(filled(path), method=method, json=body, headers=who)
        told += well_said(answer) is not None
    assert told


@pytest.mark.parametrize(("path", "names"), PARAMETERS)
def test_a_fault_of_a_query_is_told_with_its_parameter_and_in_our_words(
    client: FlaskClient, reader: FlaskClient, path: str, names: set[str]
) -> None:
    who, told = register(client), 0
    for name in {*names, "frob"}:
        for query in (f"{name}=1&{name}=2", *(f"{name}={word}" for word in WORDS)):
            document = well_said(reader.get(f"{filled(path)}?{query}", headers=who))
            if document is not None:
                told += 1
                assert {fault["parameter"] for fault in document["errors"]} <= {*names, "frob"}
    assert told


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (
            {"password": "correct horse battery"},
            "name: must be given.",
        ),
        ({}, "name: must be given. There is 1 more fault."),
        ({"frob": 1}, "name: must be given. There are 2 more faults."),
        (
            {"name": "ab", "password": "correct horse battery"},
            "name: must have 3 to 30 characters.",
        ),
        ({"name": "", "password": "correct horse battery"}, "name: must have 3 to 30 characters."),
        (
            {"name": "O'Brien", "password": "correct horse battery"},
            "name: must hold only letters from A to Z, digits, dots, dashes and underscores.",
        ),
        ({"name": "Ana", "password": "correct horse", "a/b~c": 1}, "a/b~c: is not known here."),
        ({"name": "Ana", "password": 1.5}, "password: must be a whole number."),
        (["Ana"], "body: must be an object."),
    ],
)
def test_the_detail_tells_the_first_fault_and_how_many_more_there_are(
    commands: FlaskClient, body: object, detail: str
) -> None:
    answer = commands.post("/v1/accounts", json=body)
    assert (answer.status_code, answer.get_json()["detail"]) == (422, detail)


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("/v1/games?limit=-1", ("limit", "Must be a whole number from 1 to 100.")),
        ("/v1/games?limit=101", ("limit", "Must be a whole number from 1 to 100.")),
        ("/v1/games?limit=1&limit=2", ("limit", "Must be given only once.")),
        ("/v1/games?after=123", ("after", "Must be the `next` of the page before.")),
        ("/v1/accounts?ids=ab,cd", ("ids", "Must be ids (UUIDs) with commas between.")),
        ("/v1/rules?frob=1", ("frob", "Is not known here.")),
    ],
)
def test_a_parameter_is_told_what_it_must_be(
    queries: FlaskClient, query: str, fault: tuple[str, str]
) -> None:
    document = queries.get(query).get_json()
    parameter, detail = fault
    assert document["errors"] == [{"parameter": parameter, "detail": detail}]
    assert document["detail"] == f"{parameter}: {detail[0].lower()}{detail[1:]}"
