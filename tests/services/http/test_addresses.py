"""Ids are written in capitals or small letters, wherever a request brings them (RFC 9562)."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.services.commands.conftest import account_of, ok, open_game, post, problem
from tests.services.conftest import register_bot

Headers = dict[str, str]


def test_a_game_is_found_by_its_id_in_capitals(
    commands: FlaskClient, queries: FlaskClient, ana: Headers, bob: Headers
) -> None:
    game_id = open_game(commands, ana)["id"]
    path = f"/v1/games/{game_id.upper()}"
    assert ok(post(commands, bob, f"{path}/players"))["id"] == game_id
    for rest in ("", "/events", "?at=1"):
        assert queries.get(path + rest).get_json() == ok(queries.get(path.lower() + rest))


def test_accounts_bots_and_tokens_are_found_by_their_ids_in_capitals(
    commands: FlaskClient, queries: FlaskClient, ana: Headers
) -> None:
    bot = register_bot(commands, "Bot", accepts_seats=True)
    bot_id, token_id = bot["account"]["id"].upper(), bot["token_id"].upper()
    assert ok(queries.get(f"/v1/accounts?ids={bot_id}"))["items"][0]["name"] == "Bot"
    path = "/v1/games/" + open_game(commands, ana, bots=[bot_id])["id"]
    assert commands.delete(f"{path}/players/{bot_id}", headers=ana).status_code == 200
    who = {"Authorization": f"Bearer {bot['token']}"}
    assert commands.delete(f"/v1/me/tokens/{token_id}", headers=who).status_code == 204


@pytest.mark.parametrize("path", ["/v1/games", "/v1/bots", "/v1/me/games"])
def test_a_page_follows_a_cursor_in_capitals(
    commands: FlaskClient, queries: FlaskClient, ana: Headers, path: str
) -> None:
    cursor = account_of(commands, ana).upper()
    answers = [
        queries.get(f"{path}?after={after}", headers=ana) for after in (cursor.lower(), cursor)
    ]
    assert answers[0].status_code == answers[1].status_code != 422


def test_any_other_spelling_of_an_id_is_the_address_of_nothing(
    commands: FlaskClient, queries: FlaskClient, ana: Headers
) -> None:
    game_id = open_game(commands, ana)["id"]
    for other in (f"{{{game_id}}}", f"urn:uuid:{game_id}", game_id.replace("-", "")):
        assert problem(queries.get(f"/v1/games/{other}")) == (404, "not_found")
