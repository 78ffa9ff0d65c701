"""Marshmallow fields that convert nothing: 2.5, "3" and true are no integers, 1 is no boolean.

`fields.Integer(strict=True)` is not used: it passes 10**400 and takes True for 1.
"""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError, fields, validate

from shared.http.json_body import MAX_INTEGER
from shared.http.wording import characters, whole_number

# No C0 and C1 controls, nor the marks that reorder or hide the text around them. Written for the
# specification, too, so in the syntax that Python and ECMA-262 share.
_PRINTABLE = r"[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*"

CURSOR = "The `next` of the page before."
NO_CURSOR = "Must be the `next` of the page before."


class _WholeText(validate.Regexp):
    """The pattern fits from the beginning to the end; by itself, `$` lets a line end follow.

    Of an empty text enough is said by its length.
    """

    def __call__(self, value: Any) -> Any:
        if value and not self.regex.fullmatch(value):
            raise ValidationError(self._format_error(value))
        return value


class StrictInt(fields.Integer):
    """An integer from `minimum` to `maximum`, by default any of 32 bits."""

    def __init__(
        self, *, minimum: int = -MAX_INTEGER - 1, maximum: int = MAX_INTEGER, **options: Any
    ) -> None:
        super().__init__(**_within(minimum, maximum), **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class QueryInt(fields.Integer):
    """An integer of a query string: plain decimal digits, within bounds."""

    def __init__(self, *, minimum: int = 0, maximum: int = MAX_INTEGER, **options: Any) -> None:
        super().__init__(**_within(minimum, maximum), **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        if not re.fullmatch("[0-9]{1,10}", value):
            raise self.make_error("invalid", input=value)
        return int(value)


def _within(minimum: int, maximum: int) -> dict[str, Any]:
    """Make the options of a field that says the same of what is no integer and of one too large."""
    text = whole_number(minimum, maximum)
    return {
        "validate": validate.Range(minimum, maximum, error=text),
        "error_messages": {"invalid": text},
    }


class StrictBool(fields.Boolean):
    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class StrictString(fields.String):
    """A line of text of `minimum` to `maximum` characters, by default any that are printable.

    `must` says in words what fits the pattern.
    """

    def __init__(
        self,
        *,
        minimum: int = 1,
        maximum: int = 200,
        pattern: str = _PRINTABLE,
        must: str = "Must be one line of printable characters.",
        **options: Any,
    ) -> None:
        length = validate.Length(minimum, maximum, error=characters(minimum, maximum))
        fits = _WholeText(f"^{pattern}$", error=must)
        super().__init__(validate=[length, fits], **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        return value


class CursorField(fields.UUID):
    """Where a page begins, in lists whose cursors are ids."""

    def __init__(self) -> None:
        super().__init__(
            metadata={"description": CURSOR}, error_messages={"invalid_uuid": NO_CURSOR}
        )


class StrictMap(fields.Dict):
    """A map whose faults stand under their keys; marshmallow puts a step of its own between."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        try:
            found: dict[Any, Any] = super()._deserialize(value, *args, **kwargs)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            if not isinstance(error.messages, dict):
                raise
            messages = {
                key: fault.get("value") or fault.get("key") for key, fault in error.messages.items()
            }
            raise ValidationError(messages) from None
        return found


def map_keys(converter: Any, field: Any, ret: dict[str, Any], **_kwargs: object) -> dict[str, Any]:
    """Describe a map's keys, which apispec leaves out, and their number, which it calls length."""
    if not isinstance(field, StrictMap):
        return {}
    number = {"maxProperties": ret.pop("maxLength")} if "maxLength" in ret else {}
    return number | {"propertyNames": converter.field2property(field.key_field)}
