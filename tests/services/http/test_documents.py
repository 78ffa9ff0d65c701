"""Schemas of what is sent: they fit what really is, and leave nothing out."""

from __future__ import annotations

import random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from services.queries.rulebook import Rules, rules
from services.stack.app import both
from services.stack.spec import NOWHERE, merge, specification
from shared.engine.options import Options
from shared.views.audit import audit_item
from shared.views.legal import legal_document
from shared.views.state import state_document
from shared.views.summary import summary_document, turn_documents
from tests.tables import Play

SPECIFICATION = merge(map(specification, both(NOWHERE)))
SCHEMAS: dict[str, Any] = SPECIFICATION["components"]["schemas"]


def strict(schema: Any) -> Any:
    """Forbid what an object's schema does not name, so that nothing goes undescribed."""
    match schema:
        case {"type": "object", "properties": dict()}:
            return {"additionalProperties": False} | {k: strict(v) for k, v in schema.items()}
        case dict():
            return {key: strict(value) for key, value in schema.items()}
        case list():
            return [strict(item) for item in schema]
        case _:
            return schema


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": strict(SCHEMAS)}}
    )


@pytest.mark.parametrize("buildings", ["base", "random", "draft"])
@pytest.mark.parametrize("players", [2, 4])
def test_documents_of_whole_games_are_as_described(buildings: str, players: int) -> None:
    play = Play(
        players,
        Options(buildings=buildings),  # type: ignore[arg-type]
        rng=random.Random(players),
        game_id=UUID(int=players),
    )
    check = {name: validator(name) for name in ("State", "LegalMoves", "GameSummary", "GameTurn")}

    def see() -> None:
        seats = range(len(play.table.seats))
        documents = [("State", state_document(play.table, viewer)) for viewer in (None, *seats)]
        documents += [("LegalMoves", legal_document(play.table, seat)) for seat in seats]
        documents += [("GameSummary", summary_document(play.table))]
        documents += [("GameTurn", turn) for turn in turn_documents(play.table).values()]
        for name, document in documents:
            check[name].validate(msgspec.json.decode(document))

    see()
    play.start()
    while play.table.game and not play.table.game.is_over:
        see()
        play.moves(11)
    see()
    item = validator("AuditItem")
    for record in play.records[::9]:
        item.validate(
            msgspec.json.decode(msgspec.json.encode(audit_item(record.text, record.hash)))
        )


def test_the_rules_are_as_described() -> None:
    validator(Rules.__name__).validate(msgspec.json.decode(msgspec.json.encode(rules("en"))))


def test_a_move_has_one_schema_sent_or_listed() -> None:
    listed = SCHEMAS["LegalMoves"]["properties"]["moves"]["items"]
    sent = SCHEMAS["MoveRequest"]["properties"]["move"]
    assert listed == sent == {"$ref": "#/components/schemas/Move"}


def test_no_object_is_described_as_anything_but_the_bodies_of_events() -> None:
    bare = [
        f"{name}.{key}"
        for name, schema in SCHEMAS.items()
        for key, value in schema.get("properties", {}).items()
        if value.get("type") == "object"
        and "properties" not in value
        and not isinstance(value.get("additionalProperties"), dict)
    ]
    assert bare == ["AuditItem.body"]
