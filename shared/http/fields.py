"""Marshmallow fields that convert nothing: 2.5, "3" and true are no integers, 1 is no boolean.

`fields.Integer(strict=True)` is not used: it passes 10**400 and takes True for 1.
"""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError, fields, validate

from shared.http.json_body import MAX_INTEGER

# C0 and C1 controls, lone surrogates, and the marks that reorder or hide text around them
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class StrictInt(fields.Integer):
    """An integer from `minimum` to `maximum`, by default any of 32 bits."""

    def __init__(
        self, *, minimum: int = -MAX_INTEGER - 1, maximum: int = MAX_INTEGER, **options: Any
    ) -> None:
        super().__init__(validate=validate.Range(minimum, maximum), **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class QueryInt(fields.Integer):
    """An integer of a query string: plain decimal digits, within bounds."""

    def __init__(self, *, minimum: int = 0, maximum: int = MAX_INTEGER, **options: Any) -> None:
        super().__init__(validate=validate.Range(minimum, maximum), **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        if not re.fullmatch("[0-9]{1,10}", value):
            raise self.make_error("invalid", input=value)
        return int(value)


class StrictBool(fields.Boolean):
    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class StrictString(fields.String):
    """A line of text of `minimum` to `maximum` characters, without controls."""

    def __init__(
        self, *, minimum: int = 1, maximum: int = 200, pattern: str | None = None, **options: Any
    ) -> None:
        validators: list[Any] = [validate.Length(minimum, maximum)]
        if pattern is not None:
            validators.append(validate.Regexp(f"^(?:{pattern})$"))  # no line ends get this far
        super().__init__(validate=validators, **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        if _UNPRINTABLE.search(value):
            raise ValidationError("Holds a control character.")
        return value


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
