"""What allows a request may end while it runs: then it is refused, and leaves nothing behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.commands import accounts, tokens
from tests.services.conftest import PASSWORD

Headers = dict[str, str]
Happening = Callable[[FlaskClient, Headers], object]
Request = Callable[[FlaskClient, Headers], TestResponse]

CHANGE = {"current_password": PASSWORD, "password": "a new password"}
UNAUTHORIZED = (401, "unauthorized")


def log_in(commands: FlaskClient, _who: Headers) -> TestResponse:
    return commands.post("/v1/tokens", json={"name": "Ana", "password": PASSWORD})


def create_token(commands: FlaskClient, who: Headers) -> TestResponse:
    return commands.post("/v1/me/tokens", json={"label": "another"}, headers=who)


def rename(commands: FlaskClient, who: Headers) -> TestResponse:
    return commands.patch("/v1/me", json={"name": "Anna"}, headers=who)


def change_password(commands: FlaskClient, who: Headers) -> TestResponse:
    return commands.put("/v1/me/password", json=CHANGE, headers=who)


def erase(commands: FlaskClient, who: Headers) -> TestResponse:
    return commands.delete("/v1/me", headers=who)


def log_out(commands: FlaskClient, who: Headers) -> TestResponse:
    return commands.delete("/v1/me/tokens/current", headers=who)


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets something happen, once, as a request that was allowed is about to store its change.

    In another thread, since each request has a context of its own.
    """

    def arrange(module: ModuleType, name: str, happens: Callable[[], object]) -> None:
        original = getattr(module, name)

        def overtaken(*args: Any) -> Any:
            monkeypatch.setattr(module, name, original)
            with ThreadPoolExecutor() as threads:
                threads.submit(happens).result()
            return original(*args)

        monkeypatch.setattr(module, name, overtaken)

    return arrange


@pytest.fixture
def other(commands: FlaskClient, ana: Headers) -> Headers:
    """Ana's other token: that of a thief, say."""
    token = log_in(commands, ana).get_json()["token"]
    return {"Authorization": f"Bearer {token}"}


def refused(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def stored(postgres_url: str) -> tuple[int, str, bool]:
    """How many tokens are valid; Ana's name, and whether she has a password."""
    with psycopg.connect(postgres_url) as connection:
        row = connection.execute(
            "select (select count(*) from es.tokens where revoked_at is null),"
            " name, password_hash is not null from es.accounts"
        ).fetchone()
    assert row is not None
    return row


@pytest.mark.parametrize("end", [change_password, erase])
def test_a_log_in_by_a_password_that_has_ended_is_refused(
    commands: FlaskClient,
    ana: Headers,
    postgres_url: str,
    meanwhile: Callable[..., None],
    end: Happening,
) -> None:
    meanwhile(tokens, "new_token", lambda: end(commands, ana))
    answer = log_in(commands, ana)
    assert refused(answer) == (401, "wrong_credentials")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert stored(postgres_url)[0] == (1 if end is change_password else 0)


@pytest.mark.parametrize(
    ("ask", "about_to"),
    [
        (create_token, (tokens, "new_token")),
        (rename, (accounts, "_accounts")),
        (erase, (accounts, "_accounts")),
        (log_out, (tokens, "_accounts")),
    ],
)
@pytest.mark.parametrize(("end", "left"), [(change_password, 1), (log_out, 1), (erase, 0)])
def test_a_token_that_has_ended_changes_nothing(
    commands: FlaskClient,
    ana: Headers,
    other: Headers,
    postgres_url: str,
    meanwhile: Callable[..., None],
    *,
    ask: Request,
    about_to: tuple[ModuleType, str],
    end: Happening,
    left: int,
) -> None:
    """By a new password, which ends all but the one in use, by logging out, and by erasure."""
    meanwhile(*about_to, lambda: end(commands, other if end is log_out else ana))
    answer = ask(commands, other)
    assert refused(answer) == UNAUTHORIZED
    assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
    valid, name, _ = stored(postgres_url)
    assert (valid, name == "Ana") == (left, left == 1)


def test_of_two_new_passwords_at_once_the_first_counts(
    commands: FlaskClient, ana: Headers, other: Headers, meanwhile: Callable[..., None]
) -> None:
    meanwhile(accounts, "hashed", lambda: change_password(commands, ana))
    assert refused(change_password(commands, other)) == UNAUTHORIZED
    again = {"name": "Ana", "password": CHANGE["password"]}
    assert commands.post("/v1/tokens", json=again).status_code == 201
    assert create_token(commands, ana).status_code == 201


def test_of_two_new_passwords_by_one_token_the_second_is_told_that_the_old_one_has_ended(
    commands: FlaskClient, ana: Headers, meanwhile: Callable[..., None]
) -> None:
    meanwhile(accounts, "hashed", lambda: change_password(commands, ana))
    assert refused(change_password(commands, ana)) == (403, "wrong_password")


def test_an_erased_account_is_given_no_password(
    commands: FlaskClient, ana: Headers, postgres_url: str, meanwhile: Callable[..., None]
) -> None:
    meanwhile(accounts, "hashed", lambda: erase(commands, ana))
    assert refused(change_password(commands, ana)) == UNAUTHORIZED
    assert stored(postgres_url)[2] is False


@pytest.mark.parametrize(
    ("ask", "code"), [(log_in, "wrong_credentials"), (create_token, "unauthorized")]
)
def test_a_token_waits_for_a_new_password_that_is_being_stored(
    commands: FlaskClient, ana: Headers, postgres_url: str, ask: Request, code: str
) -> None:
    """The one who changes it does not see the token yet, so the token must wait for him."""
    with ThreadPoolExecutor() as threads, psycopg.connect(postgres_url) as changing:
        changing.execute("update es.accounts set password_hash = 'another'")
        answer = threads.submit(ask, commands, ana)
        while not (answer.done() or is_waited_for(changing)):
            time.sleep(0.01)
        changing.execute("update es.tokens set revoked_at = clock_timestamp()")
        changing.commit()
        assert refused(answer.result()) == (401, code)
    assert stored(postgres_url)[0] == 0


def is_waited_for(connection: psycopg.Connection) -> bool:
    asked = "select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))"
    return connection.execute(asked).fetchone() is not None
