"""Merges what the services say of themselves into `openapi.yaml`: `python -m services.stack.spec`.

The file is committed, and a test fails when it no longer says what the code does.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from flask import Flask

from services.stack.app import both
from shared.config import Settings

Document = dict[str, Any]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
NOWHERE = Settings("postgresql://nowhere", "redis://nowhere", "redis://nowhere")
"""An app connects to nothing before its first request."""

GUIDE = Path(__file__).parents[2] / "docs" / "clients.md"
"""What an author of a client reads first; the head of the specification too."""

LICENSE = {"name": "Apache License 2.0", "identifier": "Apache-2.0"}


class SpecConflictError(Exception):
    """Two services describe the same thing, or two things by the same name."""


def exported() -> str:
    """The specification of the whole API as YAML; the way over JSON lets only plain values pass."""
    merged = json.loads(json.dumps(merge(map(specification, both(NOWHERE)))))
    return yaml.safe_dump(merged, sort_keys=False, allow_unicode=True, width=100)


def specification(app: Flask) -> Document:
    """What one service describes."""
    (api,) = app.extensions["flask-smorest"]["apis"].values()
    found: Document = api["ext_obj"].spec.to_dict()
    return found


def merge(documents: Iterable[Document]) -> Document:
    """One document; whatever two of them say must be the same, and an operation is never twice."""
    parts = list(documents)
    paths: Document = {}
    components: Document = {}
    tags: Document = {}
    for part in parts:
        for path, item in part["paths"].items():
            _add_path(paths.setdefault(path, {}), item, path)
        for kind, named in part.get("components", {}).items():
            _add(components.setdefault(kind, {}), named, kind)
        _add(tags, {tag["name"]: tag for tag in part.get("tags", [])}, "tag")
    return {
        "openapi": parts[0]["openapi"],
        "info": parts[0]["info"] | {"description": _guide(), "license": LICENSE},
        "servers": [{"url": "/", "description": "The origin that serves this file."}],
        "security": [],  # an operation that needs a token says so itself
        "tags": [tags[name] for name in sorted(tags)],
        "paths": {path: paths[path] for path in sorted(paths)},
        "components": {
            kind: dict(sorted(named.items())) for kind, named in sorted(components.items())
        },
    }


def _guide() -> str:
    """Without its heading; its links lead to where a server serves the pages."""
    _, _, text = GUIDE.read_text("utf-8").partition("\n\n")
    return re.sub(r"\]\((?=[a-z-]+\.md)", "](/docs/", text)


def _add_path(known: Document, item: Document, path: str) -> None:
    for method in METHODS:
        if method in known and method in item:
            raise SpecConflictError(f"{method.upper()} {path} is described twice")
    _add(known, item, path)


def _add(known: Document, more: Document, where: str) -> None:
    for name, content in more.items():
        if known.setdefault(name, content) != content:
            raise SpecConflictError(f"{where}: two different descriptions of {name}")


def main(file: Path) -> None:
    file.write_text(exported(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
