"""GET /v1/rules: the tables of the rules, and what buildings and roles do."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

import msgspec
from flask import Response

from services.queries.caching import ETAG, answer, revalidates
from services.queries.examples import EXAMPLES
from services.queries.rulebook import Rules, rules
from shared.http.blueprint import Blueprint, refuses

blueprint = Blueprint("rules", __name__, description="The tables of the rules.")

_LANGUAGE = "en"
_AN_HOUR = "public, max-age=3600"


@blueprint.route("/v1/rules")
@revalidates
@refuses("rate_limited")
@blueprint.response(200, Rules, headers=ETAG, example=EXAMPLES["get_rules"])
def get_rules() -> Response:
    """Show the rules' tables.

    Buildings with cost, points and copies, prices, what a game begins with, options and their
    defaults.
    """
    document, tag = _document()
    return answer(document, _AN_HOUR, tag, vary="Accept-Encoding")


@cache
def _document() -> tuple[bytes, str]:
    document = msgspec.json.encode(rules(_LANGUAGE))
    return document, f'"{sha256(document).hexdigest()[:16]}"'
