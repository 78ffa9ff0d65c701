"""Accounts: registering, changing, erasing, and naming others."""

from __future__ import annotations

import psycopg
import pytest
from flask.testing import FlaskClient

from tests.services.conftest import PASSWORD, register


def test_registering_answers_an_account_and_a_token_that_works(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    answer = commands.post("/v1/accounts", json={"name": "Ana", "password": PASSWORD})
    body = answer.get_json()
    assert answer.status_code == 201
    assert body["scopes"] == ["account", "games:play", "games:read"]
    me = queries.get("/v1/me", headers={"Authorization": f"Bearer {body['token']}"})
    assert me.get_json() == body["account"]
    assert me.get_json()["name"] == "Ana"
    assert me.get_json()["kind"] == "human"


def test_a_name_belongs_to_one_account_whatever_its_capitals(commands: FlaskClient) -> None:
    register(commands, "Ana")
    answer = commands.post("/v1/accounts", json={"name": "aNA", "password": PASSWORD})
    assert (answer.status_code, answer.get_json()["code"]) == (409, "name_taken")


@pytest.mark.parametrize("name", ["ab", "a" * 31, "with space", "ana\n", "Ána", "deleted-7", ""])
def test_a_name_is_3_to_30_plain_characters_and_none_of_an_erased_account(
    commands: FlaskClient, name: str
) -> None:
    answer = commands.post("/v1/accounts", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 422
    assert {fault["pointer"] for fault in answer.get_json()["errors"]} == {"/name"}


def test_neither_password_nor_token_is_stored_as_it_is(
    commands: FlaskClient, postgres_url: str
) -> None:
    answer = commands.post("/v1/accounts", json={"name": "Ana", "password": PASSWORD})
    token = answer.get_json()["token"]
    with psycopg.connect(postgres_url) as connection:
        rows = str(connection.execute("table es.accounts").fetchall())
        rows += str(connection.execute("table es.tokens").fetchall())
    assert "argon2id" in rows
    assert PASSWORD not in rows
    assert token not in rows


def test_a_name_can_be_changed_to_one_that_is_free(
    commands: FlaskClient, queries: FlaskClient, ana: dict[str, str], bob: dict[str, str]
) -> None:
    assert commands.patch("/v1/me", json={"name": "BOB"}, headers=ana).status_code == 409
    changed = commands.patch("/v1/me", json={"name": "Anna"}, headers=ana)
    assert changed.get_json()["name"] == "Anna"
    assert queries.get("/v1/me", headers=ana).get_json()["name"] == "Anna"
    assert queries.get("/v1/me", headers=bob).get_json()["name"] == "Bob"


def test_what_a_change_leaves_out_stays(commands: FlaskClient, ana: dict[str, str]) -> None:
    unchanged = commands.patch("/v1/me", json={}, headers=ana)
    assert (unchanged.status_code, unchanged.get_json()["name"]) == (200, "Ana")


def test_a_new_password_needs_the_current_one(commands: FlaskClient, ana: dict[str, str]) -> None:
    change = {"password": "a new password"}
    without = commands.put("/v1/me/password", json=change, headers=ana)
    assert without.get_json()["errors"][0]["pointer"] == "/current_password"
    change["current_password"] = "not this one"
    wrong = commands.put("/v1/me/password", json=change, headers=ana)
    assert (wrong.status_code, wrong.get_json()["code"]) == (403, "wrong_password")


def test_a_new_password_revokes_all_tokens_but_the_one_in_use(
    commands: FlaskClient, queries: FlaskClient, ana: dict[str, str]
) -> None:
    log_in = {"name": "Ana", "password": PASSWORD}
    other = {
        "Authorization": "Bearer " + commands.post("/v1/tokens", json=log_in).get_json()["token"]
    }
    assert queries.get("/v1/me", headers=other).status_code == 200
    change = {"password": "a new password", "current_password": PASSWORD}
    assert commands.put("/v1/me/password", json=change, headers=ana).status_code == 204
    assert queries.get("/v1/me", headers=other).status_code == 401
    assert queries.get("/v1/me", headers=ana).status_code == 200
    assert commands.post("/v1/tokens", json=log_in).status_code == 401
    log_in["password"] = "a new password"
    assert commands.post("/v1/tokens", json=log_in).status_code == 201


def test_an_erased_account_keeps_its_id_and_nothing_else(
    commands: FlaskClient, queries: FlaskClient, ana: dict[str, str], postgres_url: str
) -> None:
    account_id = queries.get("/v1/me", headers=ana).get_json()["id"]
    assert commands.delete("/v1/me", headers=ana).status_code == 204
    assert queries.get("/v1/me", headers=ana).status_code == 401
    assert commands.delete("/v1/me", headers=ana).status_code == 401
    (named,) = queries.get(f"/v1/accounts?ids={account_id}").get_json()["items"]
    assert named["name"].startswith("deleted-")
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("select count(*) from es.tokens").fetchone() == (0,)
        assert connection.execute("select password_hash from es.accounts").fetchone() == (None,)
    log_in = commands.post("/v1/tokens", json={"name": "Ana", "password": PASSWORD})
    assert log_in.status_code == 401
    register(commands, "Ana")  # the name is free again


def test_accounts_are_named_by_id_and_unknown_ones_left_out(
    queries: FlaskClient, ana: dict[str, str], bob: dict[str, str]
) -> None:
    ids = [queries.get("/v1/me", headers=who).get_json()["id"] for who in (ana, bob)]
    ids.append("01890000-0000-7000-8000-000000000000")
    items = queries.get("/v1/accounts?ids=" + ",".join(ids)).get_json()["items"]
    assert {item["name"] for item in items} == {"Ana", "Bob"}


@pytest.mark.parametrize(
    "query", ["", "?ids=", "?ids=7", "?ids=" + "," * 200, "?ids=x&ids=y", "?id=x", "?ids=%00"]
)
def test_a_faulty_query_is_refused_by_the_parameters_name(queries: FlaskClient, query: str) -> None:
    answer = queries.get("/v1/accounts" + query)
    assert answer.status_code == 422
    assert all("parameter" in fault for fault in answer.get_json()["errors"])
