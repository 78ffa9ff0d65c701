"""A case as it is written in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import yaml
from msgspec import UNSET, Struct, UnsetType, ValidationError, convert

from shared.engine.vocabulary import BuildingKey

Document = dict[object, object]
Move = dict[str, object]


class Unreadable(Exception):
    """Not a case: a failure, never skipped."""


class Given(Struct, forbid_unknown_fields=True):
    players: int
    buildings: Literal["base", "random", "draft"] | list[BuildingKey] = "base"
    options: dict[str, object] = {}
    position: Document | UnsetType = UNSET
    rejected: bool = False


class Step(Struct, forbid_unknown_fields=True):
    seat: int
    move: Move | UnsetType = UNSET
    rejected: bool = False
    legal: list[Move] | UnsetType = UNSET
    legal_includes: list[Move] = []
    legal_excludes: list[Move] = []
    expect: Document = {}


class Case(Struct, forbid_unknown_fields=True):
    id: str
    rule: str
    about: str
    given: Given
    when: list[Step] = []
    then: Document = {}


def read_case(document: object) -> Case:
    """The case that this document is. Raises Unreadable."""
    try:
        case = convert(document, Case)
    except ValidationError as error:
        raise Unreadable(str(error)) from None
    if case.given.rejected and (case.when or case.then):
        raise Unreadable("a game that is rejected has no when and no then")
    if any(step.rejected and step.move is UNSET for step in case.when):
        raise Unreadable("a step without a move cannot be rejected")
    return case


class _Loader(yaml.CSafeLoader):
    """YAML whose maps name a key once."""


def _unique(loader: _Loader, node: yaml.MappingNode) -> Document:
    pairs = [
        (loader.construct_object(key, deep=True), loader.construct_object(value, deep=True))
        for key, value in node.value
    ]
    if len(dict(pairs)) < len(pairs):
        raise yaml.constructor.ConstructorError(
            problem="a key is named twice", problem_mark=node.start_mark
        )
    return dict(pairs)


_Loader.add_constructor("tag:yaml.org,2002:map", _unique)


def documents(paths: list[Path]) -> Iterator[tuple[str, object]]:
    """Everything in these files and folders that should be a case, with a name to report it by."""
    for file in _files(paths):
        try:
            loaded = yaml.load(file.read_text(), _Loader)  # noqa: S506  # a safe loader
        except (OSError, ValueError, yaml.YAMLError) as error:
            yield str(file), Unreadable(" ".join(str(error).split()))
            continue
        if not isinstance(loaded, list):
            yield str(file), Unreadable("not a list of cases")
            continue
        for number, document in enumerate(loaded, start=1):
            named = document.get("id") if isinstance(document, dict) else None
            yield str(named or f"{file} case {number}"), document


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix in (".yaml", ".yml"))
        else:
            yield path
