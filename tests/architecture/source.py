"""The source as syntax trees."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "shared" / "engine"


def modules(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Every module of a folder, with its path in the project."""
    for file in sorted(folder.rglob("*.py")):
        yield file.relative_to(ROOT), ast.parse(file.read_text())


def imports(tree: ast.Module) -> Iterator[str]:
    """The names of all modules imported, those for type checking only included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
