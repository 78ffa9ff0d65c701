"""Problem documents (RFC 9457): the one form in which every refusal is answered.

`KINDS` is the table of all codes of the edge; those of the rules are in `refusals`. A code never
changes its meaning; new ones may come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

MEDIA_TYPE = "application/problem+json"
_LONGEST_PLACE = 100


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table: what a code means to a client, and the status that carries it."""

    status: int
    title: str
    advice: str
    rule: str | None = None
    """The section of the rules, of a move that they refuse."""


KINDS: Mapping[str, Kind] = {
    "bad_request": Kind(400, "The request is malformed", "Correct the request; see `detail`."),
    "malformed_body": Kind(
        400,
        "The body is not one JSON document in UTF-8",
        "Send JSON without byte order mark, NaN, repeated keys or more than 32 levels.",
    ),
    "bad_idempotency_key": Kind(
        400,
        "The Idempotency-Key is malformed",
        "Use 1 to 255 visible ASCII characters; a fresh UUID for each new intent does well.",
    ),
    "unauthorized": Kind(
        401,
        "A valid token is required",
        "Send `Authorization: Bearer <token>`; log in again when the token has ended.",
    ),
    "wrong_credentials": Kind(
        401, "Name and password do not match", "Check both; which of them is wrong is not told."
    ),
    "wrong_password": Kind(
        403, "The current password does not match", "Send it as `current_password`."
    ),
    "missing_scope": Kind(
        403, "The token lacks a scope", "Make a token with the scope that `detail` names."
    ),
    "not_a_bot": Kind(403, "Only bots can be taken out of a game", "A person leaves by himself."),
    "not_seated": Kind(
        403, "You have no seat in this game", "Only its players are told their moves."
    ),
    "not_found": Kind(
        404,
        "There is nothing here that you may see",
        "Check the address, and a private game's code. Whether there is anything is not told.",
    ),
    "method_not_allowed": Kind(
        405, "The resource does not have this method", "Use one that the `Allow` header names."
    ),
    "version_not_reached": Kind(
        409,
        "The game has not reached this version",
        "Ask for `game_version` at most, which is the current one.",
    ),
    "seat_in_use": Kind(
        409,
        "Somebody can still play at this seat",
        "Its player may give it away, and others only once his account is erased.",
    ),
    "bot_unavailable": Kind(
        409, "This account is no bot that takes seats", "Choose one that `GET /v1/bots` lists."
    ),
    "name_taken": Kind(409, "The name belongs to another account", "Choose another name."),
    "decision_closed": Kind(
        409,
        "The decision that the move names is no longer open",
        "Read the legal moves again; it has been answered, or never was this game's.",
    ),
    "stale": Kind(
        412,
        "The state has moved on",
        "Read the state again and decide anew; `game_version` is the current version.",
    ),
    "request_timeout": Kind(
        408, "The request did not come to its end in time", "Send it again, all of it at once."
    ),
    "body_too_large": Kind(413, "The body is too large", "Send at most 64 KiB."),
    "unsupported_media_type": Kind(
        415,
        "The body is not announced as JSON",
        "Send a body with `Content-Type: application/json`, uncompressed.",
    ),
    "misdirected": Kind(
        421,
        "Another service answers this method",
        "The proxy must route GET and HEAD to the query service, all else to the command service.",
    ),
    "invalid": Kind(
        422,
        "The request does not fit its schema",
        "Each entry of `errors` points to a faulty value.",
    ),
    "only_bots": Kind(
        422,
        "Only a bot has a strategy and takes seats",
        "Leave both out, or register with `kind` set to `bot`.",
    ),
    "impossible_position": Kind(
        422,
        "There can be no such position",
        "The entry of `errors` points to what cannot be; docs/positions.md says what can.",
    ),
    "idempotency_key_reused": Kind(
        422,
        "The Idempotency-Key was used for another request",
        "Use a fresh key for each new intent, and the old one only to repeat the same request.",
    ),
    "rate_limited": Kind(
        429, "Too many requests", "Wait for the seconds that `Retry-After` names."
    ),
    "internal": Kind(
        500, "The server has failed", "Report the `request_id`; a repetition may do no harm."
    ),
    "unavailable": Kind(
        503, "The server cannot answer now", "Try again after the seconds of `Retry-After`."
    ),
}


class Fault(TypedDict):
    """One faulty value: a JSON Pointer (RFC 6901) into the body, or the name of a parameter."""

    detail: str
    pointer: NotRequired[str]
    parameter: NotRequired[str]


class Problem(Exception):
    """A refusal with a code of the table; raised anywhere below a view, rendered at the edge."""

    def __init__(  # noqa: PLR0913 (the members of the document)
        self,
        code: str,
        detail: str | None = None,
        *,
        game_version: int | None = None,
        errors: Sequence[Fault] = (),
        headers: Mapping[str, str] | None = None,
        kind: Kind | None = None,
    ) -> None:
        """Take `kind` from the table unless it is given, as it is for a refusal by the rules.

        Without a detail of its own it tells the first of the faulty values, else the title.
        """
        self.code = code
        self.kind = kind or KINDS[code]
        self.detail = detail or _told(errors) or self.kind.title + "."
        self.game_version = game_version
        self.errors = errors
        self.headers = dict(headers or {})
        super().__init__(self.detail)

    def document(self, request_id: str) -> dict[str, object]:
        members: dict[str, object | None] = {
            "type": f"/problems/{self.code}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "code": self.code,
            "rule": self.kind.rule,
            "game_version": self.game_version,
            "errors": list(self.errors) or None,
            "request_id": request_id,
        }
        return {name: value for name, value in members.items() if value is not None}


def _told(faults: Sequence[Fault]) -> str | None:
    """Tell people the first fault and its place, and how many more there are."""
    if not faults:
        return None
    detail, more = faults[0]["detail"], len(faults) - 1
    further = {0: "", 1: " There is 1 more fault."}.get(more, f" There are {more} more faults.")
    return f"{_place(faults[0])}: {detail[:1].lower()}{detail[1:]}{further}"


def _place(fault: Fault) -> str:
    """Name a place as people do: `options.seating` for `/options/seating`."""
    path = fault.get("pointer", "").replace("/", ".").replace("~1", "/").replace("~0", "~")
    place = fault.get("parameter") or path.removeprefix(".") or "body"
    return place if len(place) <= _LONGEST_PLACE else place[:_LONGEST_PLACE] + "…"


def pointer(path: Sequence[str | int]) -> str:
    """Write a path into a JSON document as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
