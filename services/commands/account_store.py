"""Accounts and tokens in Postgres. All personal data lies here, and none of it in the log."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
import psycopg
from psycopg.errors import UniqueViolation
from psycopg.rows import class_row

from shared.eventstore.pool import Pool
from shared.http.tokens import AccountKind, Scope, Token
from shared.ids import uuid7


class NameTakenError(Exception):
    """Another account has this name; capitals make no difference."""


class StoredAccount(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    kind: AccountKind
    password_hash: str | None
    strategy: str | None = None
    accepts_seats: bool = False


class NewToken(msgspec.Struct, frozen=True):
    """What is stored of a token that is being issued."""

    token_id: UUID
    digest: bytes
    label: str
    scopes: Sequence[Scope]
    expires_at: datetime | None

    @classmethod
    def of(
        cls, token: Token, label: str, scopes: Sequence[Scope], expires_at: datetime | None
    ) -> NewToken:
        return cls(uuid7(), token.digest, label, sorted(set(scopes)), expires_at)


_ACCOUNT = """
    select account_id as id, name, kind, password_hash, strategy, accepts_seats from accounts
"""


class AccountStore:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def create(self, account: StoredAccount, token: NewToken) -> None:
        """Store an account with its first token, or raise NameTakenError."""
        with self._pool.connection() as connection, connection.transaction():
            try:
                connection.execute(
                    "insert into accounts"
                    " (account_id, name, kind, password_hash, strategy, accepts_seats)"
                    " values (%s, %s, %s, %s, %s, %s)",
                    msgspec.structs.astuple(account),
                )
            except UniqueViolation:
                raise NameTakenError from None
            _insert(connection, account.id, token)

    def by_name(self, name: str) -> StoredAccount | None:
        with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(StoredAccount))
            return cursor.execute(_ACCOUNT + "where lower(name) = lower(%s)", (name,)).fetchone()

    def find(self, account_id: UUID) -> StoredAccount | None:
        with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(StoredAccount))
            return cursor.execute(_ACCOUNT + "where account_id = %s", (account_id,)).fetchone()

    def by_id(self, account_id: UUID) -> StoredAccount:
        """Give an account that there must be: the caller's own."""
        found = self.find(account_id)
        if found is None:
            raise LookupError(f"no account {account_id}")
        return found

    def issue(self, account_id: UUID, token: NewToken) -> None:
        with self._pool.connection() as connection:
            _insert(connection, account_id, token)

    def change(
        self,
        account_id: UUID,
        *,
        name: str | None = None,
        strategy: str | None = None,
        accepts_seats: bool | None = None,
    ) -> None:
        """Change what is given, or raise NameTakenError."""
        with self._pool.connection() as connection:
            try:
                connection.execute(
                    "update accounts set name = coalesce(%s, name),"
                    " strategy = coalesce(%s, strategy),"
                    " accepts_seats = coalesce(%s, accepts_seats) where account_id = %s",
                    (name, strategy, accepts_seats, account_id),
                )
            except UniqueViolation:
                raise NameTakenError from None

    def change_password(
        self, account_id: UUID, password_hash: str, keep_token: UUID
    ) -> list[bytes]:
        """Store another hash and revoke all tokens but one; returns the hashes of those revoked."""
        with self._pool.connection() as connection, connection.transaction():
            connection.execute(
                "update accounts set password_hash = %s where account_id = %s",
                (password_hash, account_id),
            )
            return _hashes(
                connection.execute(
                    "update tokens set revoked_at = clock_timestamp() where account_id = %s"
                    " and token_id <> %s and revoked_at is null returning token_hash",
                    (account_id, keep_token),
                )
            )

    def revoke(self, account_id: UUID, token_id: UUID) -> list[bytes]:
        """Revoke one of the account's tokens; none is returned if it has no such token in use."""
        with self._pool.connection() as connection:
            return _hashes(
                connection.execute(
                    "update tokens set revoked_at = clock_timestamp() where account_id = %s"
                    " and token_id = %s and revoked_at is null returning token_hash",
                    (account_id, token_id),
                )
            )

    def erase(self, account_id: UUID) -> list[bytes]:
        """Forget all but the id and the kind, since the log of games names them."""
        with self._pool.connection() as connection, connection.transaction():
            connection.execute(
                "update accounts set name = %s, password_hash = null, strategy = null,"
                " accepts_seats = false where account_id = %s",
                (f"deleted-{secrets.token_hex(8)}", account_id),
            )
            return _hashes(
                connection.execute(
                    "delete from tokens where account_id = %s returning token_hash", (account_id,)
                )
            )


def _insert(connection: psycopg.Connection, account_id: UUID, token: NewToken) -> None:
    connection.execute(
        "insert into tokens (token_id, account_id, token_hash, label, scopes, expires_at)"
        " values (%s, %s, %s, %s, %s, %s)",
        (
            token.token_id,
            account_id,
            token.digest,
            token.label,
            list(token.scopes),
            token.expires_at,
        ),
    )


def _hashes(cursor: psycopg.Cursor) -> list[bytes]:
    return [token_hash for (token_hash,) in cursor]
