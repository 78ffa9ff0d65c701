"""What marshmallow says of faulty values, in our words: they are read by people, so in one voice.

Its texts are attributes of its classes, meant to be overridden. A field takes them when it is made,
so every module with a schema imports this one first, be it by way of `fields` or `blueprint`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields, validate

UNKNOWN = "Is not known here."
NEEDED = "Must be given."
OBJECT = "Must be an object."

_OF_FIELDS: Mapping[type[fields.Field[Any]], dict[str, str]] = {
    fields.Field: {"required": NEEDED, "null": "Must not be null."},
    fields.String: {"invalid": "Must be a text."},
    fields.UUID: {"invalid_uuid": "Must be an id (a UUID)."},
    fields.Boolean: {"invalid": "Must be true or false."},
    fields.List: {"invalid": "Must be a list."},
    fields.Mapping: {"invalid": OBJECT},
    fields.Nested: {"type": OBJECT},
}
for _field, _texts in _OF_FIELDS.items():
    _field.default_error_messages = {**_field.default_error_messages, **_texts}

Schema.error_messages = {"unknown": UNKNOWN, "type": OBJECT}

validate.OneOf.default_message = "Must be one of these: {choices}."
validate.Length.message_min = "Must have entries: {min} at least."
validate.Length.message_max = "Must have {max} entries at most."
validate.Length.message_all = "Must have {min} to {max} entries."
validate.Length.message_equal = "Must have {equal} entries."

_OF_UNIONS = {
    "Missing data for required field.": NEEDED,
    "Invalid data type: ": OBJECT,
    "Invalid value: ": "Must be the type of a move.",
    "Unsupported value: ": "Must be the type of a move.",
}
"""By their beginnings, the texts of marshmallow-oneofschema, which stand in the midst of its code;
the moves are the only union that a request brings."""


def in_our_words(text: str) -> str:
    """Say what could not be overridden."""
    return next((own for theirs, own in _OF_UNIONS.items() if text.startswith(theirs)), text)


def whole_number(minimum: int, maximum: int) -> str:
    """Say what an integer must be, whether it is none or out of bounds."""
    return f"Must be a whole number from {minimum} to {maximum}."


def characters(minimum: int, maximum: int) -> str:
    """Say how long a text must be."""
    return f"Must have {minimum} to {maximum} characters."
