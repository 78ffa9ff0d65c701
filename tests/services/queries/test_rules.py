"""GET /v1/rules: the engine's numbers, in words for all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from services.queries import rulebook
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey, Role
from tests.services.queries.conftest import get, ok

LANGUAGES = sorted(file.stem for file in (Path(rulebook.__file__).parent / "texts").iterdir())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_text_for_everything(language: str) -> None:
    texts = rulebook.texts(language)
    assert list(texts.buildings) == list(BuildingKey)
    assert list(texts.roles) == list(Role)
    assert list(texts.options) == list(Options.__struct_fields__)
    words = [*texts.buildings.values(), *texts.roles.values(), *texts.options.values()]
    assert all(text.strip() == text and text for text in words)


def test_the_tables_are_those_of_the_printed_rules(queries: FlaskClient) -> None:
    rules = ok(get(queries, "/v1/rules"))
    buildings = {building["id"]: building for building in rules["buildings"]}
    assert len(buildings) == 37
    wharf = {key: value for key, value in buildings["wharf"].items() if key != "text"}
    assert wharf == {
        "id": "wharf",
        "cost": 9,
        "swapped_cost": 9,
        "points": 3,
        "column": 3,
        "circles": 1,
        "spaces": 1,
        "kind": "small_violet",
        "produces": None,
        "set": "base",
        "copies": {"2": 1, "3": 2, "4": 2, "5": 2},
    }
    assert (buildings["factory"]["cost"], buildings["factory"]["swapped_cost"]) == (7, 8)
    assert buildings["coffee_roaster"]["set"] == "production"
    assert buildings["statue"]["set"] == "expansion"
    assert [good["price"] for good in rules["goods"]] == [0, 1, 2, 3, 4]
    assert rules["never_together"] == ["office", "trading_post"]


def test_the_set_up_of_every_number_of_players_is_told(queries: FlaskClient) -> None:
    setups = {setup["players"]: setup for setup in ok(get(queries, "/v1/rules"))["setups"]}
    assert list(setups) == [2, 3, 4, 5]
    assert setups[4]["starting_tiles"] == ["indigo", "indigo", "corn", "corn"]
    assert setups[5]["victory_points"] == 122
    assert (setups[2]["quarries"], setups[3]["quarries"]) == (5, 8)
    assert "prospector" not in setups[3]["roles"]
    assert setups[3]["cargo_ships"] == [4, 5, 6]


def test_every_option_has_its_values_the_default_first(queries: FlaskClient) -> None:
    options = {option["id"]: option for option in ok(get(queries, "/v1/rules"))["options"]}
    assert options["buildings"]["values"] == ["base", "random", "draft", "custom"]
    assert options["hidden_points"]["values"] == [True, False]
    assert options["never_together"]["values"] is None
    for option in options.values():
        assert option["values"] is None or option["default"] == option["values"][0]


def test_the_rules_may_be_kept_and_are_not_sent_twice(queries: FlaskClient) -> None:
    answer = get(queries, "/v1/rules")
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    again = get(queries, "/v1/rules", If_None_Match=answer.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
