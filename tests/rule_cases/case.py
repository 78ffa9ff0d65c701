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
    buildings: Literal["base", "random", "draft"] | list[BuildingKey] | None = None
    options: dict[str, object] | None = None
    position: Document | None = None
    rejected: bool = False


class Step(Struct, forbid_unknown_fields=True):
    seat: int | None = None
    move: Move | None = None
    rejected: bool = False
    legal: list[Move] | UnsetType = UNSET
    legal_includes: list[Move] = []
    legal_excludes: list[Move] = []
    expect: Document | None = None

    def is_of_a_seat(self) -> bool:
        """Whether it says more than how the game stands."""
        listed = [*self.legal_includes, *self.legal_excludes]
        return self.move is not None or self.legal is not UNSET or bool(listed)


class Case(Struct, forbid_unknown_fields=True):
    """A key that is left blank says no more than one that is left out.

    `rule` and `about` are for readers, in whatever form.
    """

    id: str | int
    given: Given
    rule: object = None
    about: object = None
    when: list[Step] | None = None
    then: Document | None = None


def read_case(document: object) -> Case:
    """The case that this document is. Raises Unreadable."""
    if isinstance(document, Unreadable):
        raise document
    try:
        case = convert(document, Case)
    except ValidationError as error:
        raise Unreadable(str(error)) from None
    if case.given.rejected and (case.when or case.then):
        raise Unreadable("a game that is rejected has no when and no then")
    for number, step in enumerate(case.when or [], start=1):
        if step.rejected and step.move is None:
            raise Unreadable(f"step {number}: a step without a move cannot be rejected")
        if step.seat is None and step.is_of_a_seat():
            raise Unreadable(f"step {number}: whose move?")
    return case


class _Loader(yaml.CSafeLoader):
    """YAML whose maps name a key once; `<<` merges another map into one."""


_MERGE = "tag:yaml.org,2002:merge"


def _map(loader: _Loader, node: yaml.MappingNode) -> Document:
    own: list[tuple[object, object]] = []
    merged: Document = {}
    for key, value in node.value:
        if key.tag == _MERGE:
            merged = _merged(loader.construct_object(value, deep=True)) | merged
        else:
            named = loader.construct_object(key, deep=True)
            own.append((named, loader.construct_object(value, deep=True)))
    if len(dict(own)) < len(own):
        raise yaml.constructor.ConstructorError(
            problem="a key is named twice", problem_mark=node.start_mark
        )
    return merged | dict(own)


def _merged(maps: Document | list[Document]) -> Document:
    """One map or several: what the first of them says holds."""
    found: Document = {}
    for other in maps if isinstance(maps, list) else [maps]:
        found = other | found
    return found


_Loader.add_constructor("tag:yaml.org,2002:map", _map)

_FAULTS = (OSError, ValueError, TypeError, RecursionError, yaml.YAMLError)
"""What comes of a file that is not there, or of text that is not YAML."""


def documents(paths: list[Path]) -> Iterator[tuple[str, object]]:
    """Everything in these files and folders that should be a case, with a name to report it by."""
    for file in _files(paths):
        try:
            loader = _Loader(file.read_text())
            nodes = loader.get_single_node()
        except _FAULTS as error:
            yield str(file), _unreadable(error)
            continue
        if not isinstance(nodes, yaml.SequenceNode):
            yield str(file), Unreadable("not a list of cases")
            continue
        for number, node in enumerate(nodes.value, start=1):
            document = _document(loader, node)
            named = document.get("id") if isinstance(document, dict) else None
            yield str(named or f"{file} case {number}"), document


def _document(loader: _Loader, node: yaml.Node) -> object:
    """One case: a fault in it is its own."""
    try:
        return loader.construct_document(node)
    except _FAULTS as error:
        return _unreadable(error)


def _unreadable(error: Exception) -> Unreadable:
    return Unreadable(" ".join(str(error).split()))


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix in (".yaml", ".yml"))
        else:
            yield path
