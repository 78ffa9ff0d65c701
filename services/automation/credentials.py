"""The accounts of our bots: registered once, their tokens kept in a file."""

from __future__ import annotations

import json
import secrets
from functools import partial
from http import HTTPStatus
from pathlib import Path

from services.automation.client import ApiError, Client, register


class Credentials:
    """The tokens of the bots by name, in a file that nobody else can read."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._tokens: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}

    def sign_in(self, url: str, name: str, strategy: str) -> Client:
        """The account's client; of a new account, unless its token is still good.

        From now on the account takes seats.
        """
        if name in self._tokens and _takes_seats(known := Client(url, self._tokens[name])):
            return known
        client = _registered(url, name, strategy)
        assert client.token is not None
        self._tokens[name] = client.token
        self._save()
        return client

    def _save(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        draft = self._file.with_suffix(".new")
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(self._tokens))
        draft.replace(self._file)


def _takes_seats(client: Client) -> bool:
    """Not if its token is good no longer."""
    try:
        client.patch("/v1/me", {"accepts_seats": True})
    except ApiError as error:
        if error.status != HTTPStatus.UNAUTHORIZED:
            raise
        return False
    return True


def _registered(url: str, name: str, strategy: str) -> Client:
    """A new account of this name, or with a longer one if somebody has taken it."""
    register_bot = partial(
        register,
        url,
        password=secrets.token_urlsafe(),
        kind="bot",
        strategy=strategy,
        accepts_seats=True,
    )
    try:
        client, _ = register_bot(name)
    except ApiError as error:
        if error.problem.get("code") != "name_taken":
            raise
        client, _ = register_bot(f"{name}-{secrets.token_hex(3)}")
    return client
