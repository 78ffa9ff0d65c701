"""How long an answer may be kept, and 304 for who has it already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Response, request

from shared.http.blueprint import Blueprint, takes_header

View = TypeVar("View", bound=Callable[..., Any])

REVALIDATED = "private, no-cache"
"""What may change: kept by its reader only, and asked for again each time."""
VARY = "Authorization"
_YEAR = 31_536_000

ETAG = {
    "ETag": {"description": "Names this answer; for If-None-Match.", "schema": {"type": "string"}}
}


def for_ever(*, shared: bool) -> str:
    """What never changes; `shared`: it is the same for everybody."""
    return f"{'public' if shared else 'private'}, max-age={_YEAR}, immutable"


def answer(document: bytes, keep: str, tag: str | None = None, *, vary: str = VARY) -> Response:
    """Answer a document, which may depend on who asks; 304 if it is the one that the reader has."""
    headers = {"Cache-Control": keep, "Vary": vary}
    if tag is not None:
        headers["ETag"] = tag
        if request.if_none_match.contains_weak(tag.strip('"')):
            return Response(status=304, headers=headers)
    return Response(document, headers=headers, content_type="application/json")


def revalidates(view: View) -> View:
    """Document that a view answers 304 to who names its ETag."""
    same = {304: {"description": "It is what If-None-Match names."}}
    documented: View = Blueprint.doc(responses=same)(view)
    return takes_header("If-None-Match", "The ETag of the answer one has.")(documented)
