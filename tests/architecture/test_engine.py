"""The engine is pure, buildings answer for themselves, and only evolve writes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from shared.engine.buildings.base import Building
from shared.engine.buildings.catalog import PRINTED
from shared.engine.events import Event
from shared.engine.evolve import APPLY
from shared.engine.vocabulary import BuildingKey
from tests.architecture.source import ENGINE, ROOT, imports, modules

PURE = {
    "__future__",
    "collections.abc",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "msgspec",
    "types",
    "typing",
}
WRITERS = ("evolve.py", "setup.py", "state.py")
MUTATORS = {"append", "extend", "insert", "remove", "pop", "clear", "update", "setdefault", "add"}


def test_no_building_is_named_outside_its_own_room() -> None:
    keys, rooms = {key.value for key in BuildingKey}, ("buildings", "vocabulary.py")
    named = [
        f"{path} names {ast.unparse(node)}"
        for path, tree in modules(ROOT / "shared")
        if not {*path.parts} & {*rooms}
        for node in ast.walk(tree)
        if _names_building(node, keys)
    ]
    assert named == []


def _names_building(node: ast.AST, keys: set[str]) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="BuildingKey")):
            return True
        case ast.Constant(value=str(text)):
            return text in keys
        case _:
            return False


def test_every_question_is_answered_otherwise_by_some_building() -> None:
    questions = {
        name
        for name, function in vars(Building).items()
        if inspect.isfunction(function) and not name.startswith("_")
    }
    assert len(questions) > 15
    kinds = {type(building) for building in PRINTED.values()} - {Building}
    answered = {name for kind in kinds for name in vars(kind)}
    assert questions - answered == set()


def test_the_engine_imports_itself_and_what_is_pure() -> None:
    for path, tree in modules(ENGINE):
        for name in imports(tree):
            known = name in PURE or name.rpartition(".")[0] in PURE
            assert known or name.startswith("shared.engine"), f"{path} imports {name}"


def test_phases_import_neither_one_another_nor_the_catalog() -> None:
    phases = {path.stem for path, _ in modules(ENGINE / "phases")} - {"__init__"}
    for path, tree in modules(ENGINE / "phases"):
        if path.stem != "__init__":
            others = {f"shared.engine.phases.{name}" for name in phases}
            assert not {*imports(tree)} & {*others, "shared.engine.buildings.catalog"}, path


def test_only_the_catalog_imports_the_buildings() -> None:
    rooms = {path.stem for path, _ in modules(ENGINE / "buildings")} - {"base", "catalog"}
    classes = {f"shared.engine.buildings.{room}" for room in rooms - {"__init__"}}
    importers = {path.name for path, tree in modules(ROOT / "shared") if {*imports(tree)} & classes}
    assert importers == {"catalog.py"}


def test_only_evolve_and_the_set_up_write_the_state() -> None:
    writes = [
        f"{path}:{line}"
        for path, tree in modules(ENGINE)
        if path.name not in WRITERS
        for line in _writes(tree)
    ]
    assert writes == []


def _writes(tree: ast.Module) -> Iterator[int]:
    """Where an attribute or what one holds is changed; those of `self` and `turn.events` apart."""
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        match node:
            case ast.Assign() | ast.Delete():
                targets = list(node.targets)
            case ast.AugAssign() | ast.AnnAssign():
                targets = [node.target]
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as held, attr=name)):
                targets = [held] if name in MUTATORS else []
            case _:
                pass
        for target in targets:
            if _is_state(target):
                yield target.lineno


def _is_state(target: ast.expr) -> bool:
    match target:
        case ast.Tuple(elts=parts):
            return any(map(_is_state, parts))
        case ast.Subscript(value=held):
            return isinstance(held, ast.Attribute) and _is_state(held)
        case ast.Attribute(value=ast.Name(id="self")) | ast.Attribute(attr="events"):
            return False
        case _:
            return isinstance(target, ast.Attribute)


def test_every_event_is_applied() -> None:
    kinds = {kind.__name__ for kind in _all_kinds(Event)}
    assert kinds - {kind.__name__ for kind in APPLY} == {"GameSetUp"}


def _all_kinds(kind: type[Event]) -> Iterator[type[Event]]:
    for further in kind.__subclasses__():
        yield further
        yield from _all_kinds(further)


def test_every_building_key_is_printed_once_in_table_order() -> None:
    assert list(PRINTED) == list(BuildingKey)
