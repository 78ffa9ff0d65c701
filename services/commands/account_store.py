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
from shared.http.tokens import Scope, Token
from shared.ids import uuid7


class NameTakenError(Exception):
    """Another account has this name; capitals make no difference."""


class StoredAccount(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    kind: str
    password_hash: str | None


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


_ACCOUNT = "select account_id as id, name, kind, password_hash from accounts"


class AccountStore:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def create(self, name: str, password_hash: str, token: NewToken) -> StoredAccount:
        """Store an account with its first token, or raise NameTakenError."""
        account = StoredAccount(uuid7(), name, "human", password_hash)
        with self._pool.connection() as connection, connection.transaction():
            try:
                connection.execute(
                    "insert into accounts (account_id, name, password_hash) values (%s, %s, %s)",
                    (account.id, name, password_hash),
                )
            except UniqueViolation:
                raise NameTakenError from None
            _insert(connection, account.id, token)
        return account

    def by_name(self, name: str) -> StoredAccount | None:
        with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(StoredAccount))
            return cursor.execute(_ACCOUNT + " where lower(name) = lower(%s)", (name,)).fetchone()

    def by_id(self, account_id: UUID) -> StoredAccount:
        with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(StoredAccount))
            found = cursor.execute(_ACCOUNT + " where account_id = %s", (account_id,)).fetchone()
        if found is None:
            raise LookupError(f"no account {account_id}")
        return found

    def issue(self, account_id: UUID, token: NewToken) -> None:
        with self._pool.connection() as connection:
            _insert(connection, account_id, token)

    def rename(self, account_id: UUID, name: str) -> None:
        """Give the account another name, or raise NameTakenError."""
        with self._pool.connection() as connection:
            try:
                connection.execute(
                    "update accounts set name = %s where account_id = %s", (name, account_id)
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
        """Forget name, password and tokens. The id stays, since the log of games names it."""
        with self._pool.connection() as connection, connection.transaction():
            connection.execute(
                "update accounts set name = %s, password_hash = null where account_id = %s",
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
