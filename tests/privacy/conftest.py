"""Both services as one address, and games written straight into the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.stack.app import READS
from shared.config import Settings
from tests.services.conftest import commands, queries
from tests.services.queries.conftest import archive, project

__all__ = ["archive", "commands", "project", "queries"]

Headers = Mapping[str, str]
SAME = {"X-Request-Id": "the-same"}
"""So that refusals need no masking."""
OF_THE_MOMENT = {"date", "ratelimit"}


@dataclass(frozen=True)
class Origin:
    """Sends each method to its service, as the proxy does."""

    commands: FlaskClient
    queries: FlaskClient

    def ask(
        self,
        method: str,
        path: str,
        who: Headers | None = None,
        body: object = None,
        **headers: str,
    ) -> TestResponse:
        """Send a request; `If_Match="..."` is a header."""
        client = self.queries if method in READS else self.commands
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent: dict[str, Any] = {} if body is None else {"json": body}
        return client.open(path, method=method, headers={**SAME, **(who or {}), **named}, **sent)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A guest who is refused this often is soon refused for that."""
    return replace(settings, rate_limits="token_guesses=1000000/1", log_level="ERROR")


@pytest.fixture
def origin(commands: FlaskClient, queries: FlaskClient) -> Origin:
    return Origin(commands, queries)


def told(answer: TestResponse) -> tuple[int, dict[str, str], bytes]:
    """All that an answer tells whoever reads it."""
    headers = {name.lower(): value for name, value in answer.headers.items()}
    kept = {name: value for name, value in headers.items() if name not in OF_THE_MOMENT}
    return answer.status_code, kept, answer.data


def bearer(token: str) -> Headers:
    return {"Authorization": f"Bearer {token}"}
