"""GET /v1/rules: the engine's numbers, in words for all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from services.queries import rulebook
from services.queries.rulebook import LANGUAGES, Language
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey, Good, Role, Tile
from tests.services.queries.conftest import get, ok, problem

FILES = sorted(file.stem for file in (Path(rulebook.__file__).parent / "texts").iterdir())


def test_there_are_four_languages() -> None:
    assert sorted(LANGUAGES) == FILES == ["de", "en", "es", "fr"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_name_and_a_text_for_everything(language: Language) -> None:
    texts = rulebook.texts(language)
    assert list(texts.buildings) == list(BuildingKey)
    assert list(texts.roles) == list(Role)
    assert list(texts.goods) == list(Good)
    assert list(texts.tiles) == list(Tile)
    assert list(texts.options) == list(Options.__struct_fields__)
    described = [*texts.buildings.values(), *texts.roles.values()]
    words = [word for thing in described for word in (thing.name, thing.text)]
    words += [*texts.goods.values(), *texts.tiles.values(), *texts.options.values()]
    assert all(text.strip() == text and text for text in words)
    for names in (texts.buildings, texts.roles):
        assert len({thing.name for thing in names.values()}) == len(names)
    assert all(thing.text.endswith(".") for thing in described)


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_the_same_in_every_language(language: Language) -> None:
    for key, words in rulebook.texts(language).buildings.items():
        numbers = sorted(re.findall("[0-9]+", words.text))
        assert numbers == sorted(re.findall("[0-9]+", rulebook.texts("en").buildings[key].text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_codes_are_not_translated(queries: FlaskClient, language: Language) -> None:
    def codes(value: object) -> object:
        match value:
            case dict():
                words = ("name", "text", "language")
                return {key: codes(item) for key, item in value.items() if key not in words}
            case list():
                return [codes(item) for item in value]
            case _:
                return value

    answer = get(queries, f"/v1/rules?lang={language}")
    assert answer.headers["Content-Language"] == language
    assert ok(answer)["language"] == language
    assert codes(ok(answer)) == codes(ok(get(queries, "/v1/rules?lang=en")))


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de", "de"),
        ("de-AT, en;q=0.5", "de"),
        ("nl, fr-CA;q=0.8, es;q=0.9", "es"),
        ("nl", "en"),
        ("*", "en"),
        ("", "en"),
        ("de;q=0", "en"),
        (";;q=x,\x7f", "en"),
    ],
)
def test_the_language_is_the_first_known_that_is_accepted(
    queries: FlaskClient, accepted: str, language: str
) -> None:
    answer = get(queries, "/v1/rules", Accept_Language=accepted)
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


def test_what_is_asked_for_by_name_comes_before_what_is_accepted(queries: FlaskClient) -> None:
    answer = get(queries, "/v1/rules?lang=fr", Accept_Language="de")
    assert answer.headers["Content-Language"] == "fr"
    assert problem(get(queries, "/v1/rules?lang=nl")) == (422, "invalid")


def test_one_language_is_not_taken_for_another(queries: FlaskClient) -> None:
    tag = get(queries, "/v1/rules?lang=de").headers["ETag"]
    assert get(queries, "/v1/rules?lang=es", If_None_Match=tag).status_code == 200
    assert get(queries, "/v1/rules?lang=de", If_None_Match=tag).status_code == 304


def test_the_rules_that_refusals_name_can_be_read(queries: FlaskClient) -> None:
    explained = get(queries, "/problems/must_load").get_json()
    page, _, section = explained["rule_text"].partition("#")
    with get(queries, page) as answer:
        assert f'<a id="{section}"></a>' in answer.get_data(as_text=True)


def test_the_tables_are_those_of_the_printed_rules(queries: FlaskClient) -> None:
    rules = ok(get(queries, "/v1/rules"))
    buildings = {building["id"]: building for building in rules["buildings"]}
    assert len(buildings) == 37
    wharf = dict(buildings["wharf"])
    assert wharf.pop("text").startswith("Once in a captain's phase")
    assert wharf == {
        "id": "wharf",
        "name": "Wharf",
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
