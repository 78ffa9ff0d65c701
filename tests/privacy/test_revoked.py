"""A token that is revoked opens nothing any more, on any route, from the next request on."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
import yaml

from shared.ids import uuid7
from tests.privacy.conftest import Headers, Origin, bearer
from tests.services.conftest import PASSWORD
from tests.services.queries.conftest import Archive
from tests.tables import Play

SPECIFICATION = yaml.safe_load((Path(__file__).parents[2] / "openapi.yaml").read_text())
GUARDED = [
    (method.upper(), path)
    for path, item in SPECIFICATION["paths"].items()
    for method, operation in item.items()
    if method != "parameters" and "security" in operation
]


End = Callable[[Origin, Headers, str], None]


def status_of(origin: Origin, play: Play, who: Headers, method: str, path: str) -> int:
    address = re.sub(r"\{[a-z_]+\}", str(play.game_id), path)
    return origin.ask(method, address, who, None if method == "GET" else {}).status_code


def log_out(origin: Origin, ana: Headers, _token_id: str) -> None:
    assert origin.ask("DELETE", "/v1/me/tokens/current", ana).status_code == 204


def revoke(origin: Origin, _ana: Headers, token_id: str) -> None:
    other = origin.ask("POST", "/v1/tokens", None, {"name": "Ana", "password": PASSWORD})
    who = bearer(other.get_json()["token"])
    assert origin.ask("DELETE", f"/v1/me/tokens/{token_id}", who).status_code == 204


def change_password(origin: Origin, _ana: Headers, _token_id: str) -> None:
    other = origin.ask("POST", "/v1/tokens", None, {"name": "Ana", "password": PASSWORD})
    who = bearer(other.get_json()["token"])
    wish = {"current_password": PASSWORD, "password": "another good password"}
    assert origin.ask("PUT", "/v1/me/password", who, wish).status_code == 204


def erase(origin: Origin, ana: Headers, _token_id: str) -> None:
    assert origin.ask("DELETE", "/v1/me", ana).status_code == 204


@pytest.mark.parametrize("end", [log_out, revoke, change_password, erase])
def test_an_ended_token_opens_nothing(
    origin: Origin, archive: Archive, project: Callable[[], None], end: End
) -> None:
    wish = {"name": "Ana", "password": PASSWORD}
    made = origin.ask("POST", "/v1/accounts", None, wish).get_json()
    ana = bearer(made["token"])
    play = Play([UUID(made["account"]["id"]), uuid7(), uuid7()]).store(archive.store)
    project()
    assert {
        status_of(origin, play, ana, method, path) for method, path in GUARDED if method == "GET"
    } == {200, 404, 409}, "they are cached; before the start one has no moves, and no code"
    end(origin, ana, made["token_id"])
    for method, path in GUARDED:
        assert status_of(origin, play, ana, method, path) == 401, (method, path)
