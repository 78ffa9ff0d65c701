"""GET /v1/rules: the tables of the rules, and what buildings and roles do, in four languages."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import NotRequired, TypedDict

import msgspec
from flask import Response, request
from marshmallow import Schema, fields, validate

from services.queries.caching import ETAG, answer, revalidates
from services.queries.examples import EXAMPLES
from services.queries.rulebook import LANGUAGES, Language, Rules, rules
from shared.http.blueprint import Blueprint, refuses, takes_header

blueprint = Blueprint("rules", __name__, description="The tables of the rules.")

_AN_HOUR = "public, max-age=3600"
_IN_LANGUAGE = ETAG | {
    "Content-Language": {
        "description": "The language of names and texts.",
        "schema": {"type": "string", "enum": LANGUAGES},
    }
}


class RulesQuerySchema(Schema):
    lang = fields.String(
        validate=validate.OneOf(LANGUAGES),
        metadata={"description": "Overrides Accept-Language."},
    )


class RulesQuery(TypedDict):
    lang: NotRequired[Language]


@blueprint.route("/v1/rules")
@revalidates
@takes_header("Accept-Language", "The first known language is chosen, else English.")
@refuses("rate_limited")
@blueprint.arguments(RulesQuerySchema, location="query")
@blueprint.response(200, Rules, headers=_IN_LANGUAGE, example=EXAMPLES["get_rules"])
def get_rules(wish: RulesQuery) -> Response:
    """Show the rules' tables.

    Buildings with cost, points and copies, prices, what a game begins with, options and their
    defaults; what things are called and do in English, German, French or Spanish.
    """
    language = wish.get("lang") or _preferred()
    document, tag = _document(language)
    found = answer(document, _AN_HOUR, tag, vary="Accept-Language, Accept-Encoding")
    found.content_language.add(language)
    return found


def _preferred() -> Language:
    """The best accepted one, regional or not: to who prefers de-AT to en German is given."""
    for tag, quality in request.accept_languages:
        primary = tag.partition("-")[0].lower()
        for language in LANGUAGES:
            if language == primary and quality > 0:
                return language
    return LANGUAGES[0]


@cache
def _document(language: Language) -> tuple[bytes, str]:
    document = msgspec.json.encode(rules(language))
    return document, f'"{sha256(document).hexdigest()[:16]}"'
