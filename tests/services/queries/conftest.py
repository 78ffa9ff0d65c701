"""Games in the log, and clients that read them: players, strangers, watchers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.projector.wiring import Wiring
from services.queries.app import create_app
from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.eventstore.store import EventStore
from shared.http.tokens import SCOPES, Token
from shared.ids import uuid7
from tests.services.conftest import closing
from tests.services.projector.games import drain_all
from tests.tables import Play

Headers = dict[str, str]
Document = dict[str, Any]


@dataclass(frozen=True)
class Archive:
    """The log and the accounts, as the command service writes them."""

    pool: Pool
    store: EventStore

    def sign_in(self, account_id: UUID | None = None, scopes: tuple[str, ...] = SCOPES) -> Headers:
        """Make an account and a token; returns the headers that speak for it."""
        account_id, token = account_id or uuid7(), Token.make()
        with self.pool.connection() as connection:
            connection.execute(
                "insert into accounts (account_id, name) values (%s, %s) on conflict do nothing",
                (account_id, f"account-{account_id}"),
            )
            connection.execute(
                "insert into tokens (token_id, account_id, token_hash, label, scopes)"
                " values (%s, %s, %s, 'test', %s)",
                (uuid7(), account_id, token.digest, list(scopes)),
            )
        return {"Authorization": f"Bearer {token.secret}"}

    def players(self, play: Play) -> list[Headers]:
        """Sign in whoever sits at the table, by seat."""
        return [self.sign_in(UUID(account)) for account in play.table.seats]


@pytest.fixture
def archive(settings: Settings) -> Iterator[Archive]:
    pool = Pool(settings.database_url, Role.COMMANDS)
    yield Archive(pool, EventStore(pool))
    pool.close()


@pytest.fixture
def project(wiring: Wiring) -> Callable[[], None]:
    """Bring all read models up to date."""
    return lambda: drain_all(wiring)


@pytest.fixture
def unlimited(no_redis: Settings) -> Iterator[FlaskClient]:
    """A query service that has no Redis."""
    with closing(create_app(no_redis)) as client:
        yield client


def get(client: FlaskClient, path: str, who: Headers | None = None, **headers: str) -> TestResponse:
    """Send a GET; `If_None_Match="..."` is a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.get(path, headers={**(who or {}), **named})


def ok(answer: TestResponse) -> Document:
    assert answer.status_code == 200, answer.text
    document: Document = answer.get_json()
    return document


def problem(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def same_refusal(one: TestResponse, other: TestResponse) -> bool:
    """Whether two refusals are the same but for their request ids."""
    documents = [dict(answer.get_json()) for answer in (one, other)]
    for document in documents:
        del document["request_id"]
    return documents[0] == documents[1] and one.status_code == other.status_code
