"""The answers that the specification shows are like those given now."""

from __future__ import annotations

from flask.testing import FlaskClient

from services.commands.examples import EXAMPLES
from tests.services.commands.record import answers


def shape(value: object) -> object:
    """Give what does not differ from game to game: keys, and the kinds of values."""
    match value:
        case dict():
            return {key: shape(item) for key, item in value.items()}
        case list():
            return [shape(item) for item in value]
        case _:
            return type(value)


def test_examples_are_as_recorded(commands: FlaskClient) -> None:
    now = answers(commands)
    assert shape(now) == shape(EXAMPLES), "run: python -m tests.services.commands.record"
