"""A flag for each option of a game (Rules 10)."""

from __future__ import annotations

import argparse
from typing import Literal, get_args, get_origin, get_type_hints

from services.automation.client import Document
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey

_VALUES = get_type_hints(Options)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags: choices, switches, and the two options that name buildings."""
    group = parser.add_argument_group("the game's options", "see docs/rules.md, section 10")
    for name, kind in _VALUES.items():
        if kind is bool:
            group.add_argument(_flag(name), action=argparse.BooleanOptionalAction)
        elif get_origin(kind) is Literal:
            group.add_argument(_flag(name), choices=get_args(kind))
    group.add_argument(
        "--custom-buildings",
        nargs="+",
        choices=list(BuildingKey),
        metavar="BUILDING",
        help="the violet buildings of a custom set",
    )
    group.add_argument(
        "--never-together",
        nargs=2,
        action="append",
        choices=list(BuildingKey),
        metavar="BUILDING",
        help="two of which a set holds one at most; may be repeated",
    )


def chosen(arguments: argparse.Namespace) -> Document:
    """The options that were given, as the API takes them."""
    given = {name: getattr(arguments, name) for name in _VALUES}
    return {name: value for name, value in given.items() if value is not None}


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
