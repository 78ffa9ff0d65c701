"""The one table that maps refusals of rules and table to statuses: 409 the moment, 422 the move."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from shared.engine.errors import (
    GameIsOver,
    NotAwaited,
    OptionNotAllowed,
    OtherDecision,
    RuleViolation,
    SetNotAllowed,
)
from shared.http.problems import KINDS, Kind, Problem
from shared.table.errors import NotTheCreator, TableRefusal

Refusal = RuleViolation | TableRefusal

_STATUS: Mapping[type[Refusal], int] = {
    NotAwaited: 409,
    GameIsOver: 409,
    OtherDecision: 409,
    RuleViolation: 422,
    NotTheCreator: 403,
    TableRefusal: 409,
}
"""A class that is not named has the status of the nearest base that is."""

_ADVICE: Mapping[int, str] = {
    403: "Ask the one who may.",
    409: "Read the state again: it does not allow this now.",
    422: "Choose one of the legal moves.",
}
_ADVICE_FOR_OPTIONS = "Open a game with other options; `detail` says what does not fit."
_OF_OPTIONS = (OptionNotAllowed, SetNotAllowed)
"""Rules that refuse not a move, but what a game is opened with."""


def refusal(error: Refusal, game_version: int | None = None, pointer: str | None = None) -> Problem:
    """Make the problem document of a refusal.

    The version says which state it was judged by, the pointer what of the body is to blame.
    """
    return Problem(
        error.code,
        error.detail,
        game_version=game_version,
        errors=[] if pointer is None else [{"detail": error.detail, "pointer": pointer}],
        kind=_kind(type(error)),
    )


def kinds_of(family: type[Refusal]) -> dict[str, Kind]:
    """List the codes of all classes below a base."""
    found: dict[str, Kind] = {}
    for refused in family.__subclasses__():
        found[refused.code] = _kind(refused)
        found |= kinds_of(refused)
    return found


def _kind(refused: type[Refusal]) -> Kind:
    status = next(_STATUS[base] for base in refused.__mro__ if base in _STATUS)
    advice = _ADVICE_FOR_OPTIONS if issubclass(refused, _OF_OPTIONS) else _ADVICE[status]
    rule = refused.rule if issubclass(refused, RuleViolation) else None
    return Kind(status, refused.sentence.rstrip("."), advice, rule)


ALL_KINDS: Mapping[str, Kind] = MappingProxyType(
    {**KINDS, **kinds_of(TableRefusal), **kinds_of(RuleViolation)}
)
"""Every code a client may meet."""
