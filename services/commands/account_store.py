"""Accounts and tokens in Postgres. All personal data lies here, and none of it in the log.

What allows a change may end before the change is stored: a password is another one, a token is
revoked, an account erased. So each change holds the account's row and looks again. What ends tokens
holds it, too: no token can be stored that it does not see.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

import msgspec
import psycopg
from psycopg.errors import UniqueViolation
from psycopg.rows import class_row

from shared.eventstore.pool import Pool
from shared.http.tokens import Account, AccountKind, Scope, Token, TokenEndedError
from shared.ids import uuid7


class NameTakenError(Exception):
    """Another account has this name; capitals make no difference."""


class PasswordChangedError(Exception):
    """The password that was given was right, but no longer is."""


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
_IS_ABANDONED = """
    select password_hash is null and not exists (
        select from tokens where tokens.account_id = accounts.account_id
            and revoked_at is null and (expires_at is null or expires_at > clock_timestamp()))
    from accounts where account_id = %s
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

    def is_abandoned(self, account_id: UUID) -> bool:
        """Say whether nobody can act for it any more: it has no valid token and no password.

        So it is with every account that is erased.
        """
        with self._pool.connection() as connection:
            row = connection.execute(_IS_ABANDONED, (account_id,)).fetchone()
        return row is None or bool(row[0])

    def log_in(self, account: StoredAccount, token: NewToken) -> None:
        """Store a token for whoever gave this password, or raise PasswordChangedError."""
        with self._pool.connection() as connection, connection.transaction():
            if _hold(connection, account.id) != account.password_hash:
                raise PasswordChangedError
            _insert(connection, account.id, token)

    def issue(self, me: Account, token: NewToken) -> None:
        """Store another token, or raise TokenEndedError."""
        with self._acting(me) as connection:
            _insert(connection, me.account_id, token)

    def change(
        self,
        me: Account,
        *,
        name: str | None = None,
        strategy: str | None = None,
        accepts_seats: bool | None = None,
    ) -> None:
        """Change what is given, or raise NameTakenError or TokenEndedError."""
        with self._acting(me) as connection:
            try:
                connection.execute(
                    "update accounts set name = coalesce(%s, name),"
                    " strategy = coalesce(%s, strategy),"
                    " accepts_seats = coalesce(%s, accepts_seats) where account_id = %s",
                    (name, strategy, accepts_seats, me.account_id),
                )
            except UniqueViolation:
                raise NameTakenError from None

    def change_password(self, me: Account, old_hash: str | None, new_hash: str) -> list[bytes]:
        """Store another hash and revoke all other tokens; returns the hashes of those revoked.

        Raises PasswordChangedError or TokenEndedError.
        """
        with self._acting(me) as connection:
            changed = connection.execute(
                "update accounts set password_hash = %s where account_id = %s"
                " and password_hash = %s",
                (new_hash, me.account_id, old_hash),
            )
            if not changed.rowcount:
                raise PasswordChangedError
            return _hashes(
                connection.execute(
                    "update tokens set revoked_at = clock_timestamp() where account_id = %s"
                    " and token_id <> %s and revoked_at is null returning token_hash",
                    (me.account_id, me.token_id),
                )
            )

    def revoke(self, me: Account, token_id: UUID) -> list[bytes]:
        """Revoke one of my tokens; none is returned if I have no such token in use.

        Raises TokenEndedError.
        """
        with self._acting(me) as connection:
            return _hashes(
                connection.execute(
                    "update tokens set revoked_at = clock_timestamp() where account_id = %s"
                    " and token_id = %s and revoked_at is null returning token_hash",
                    (me.account_id, token_id),
                )
            )

    def erase(self, me: Account) -> list[bytes]:
        """Forget all but the id and the kind, since the log of games names them.

        Returns the hashes of the tokens, or raises TokenEndedError.
        """
        with self._acting(me) as connection:
            connection.execute(
                "update accounts set name = %s, password_hash = null, strategy = null,"
                " accepts_seats = false where account_id = %s",
                (f"deleted-{secrets.token_hex(8)}", me.account_id),
            )
            return _hashes(
                connection.execute(
                    "delete from tokens where account_id = %s returning token_hash",
                    (me.account_id,),
                )
            )

    @contextmanager
    def _acting(self, me: Account) -> Iterator[psycopg.Connection]:
        """Act by a token that is valid until what it does is stored, or raise TokenEndedError."""
        with self._pool.connection() as connection, connection.transaction():
            _hold(connection, me.account_id)
            valid = connection.execute(
                "select 1 from tokens where token_id = %s and revoked_at is null for share",
                (me.token_id,),
            )
            if valid.fetchone() is None:
                raise TokenEndedError
            yield connection


def _hold(connection: psycopg.Connection, account_id: UUID) -> str | None:
    """Let no other change of an account in until this one is stored; returns the password's hash.

    A statement of its own: only what comes after it sees all that the one before has stored.
    """
    row = connection.execute(
        "select password_hash from accounts where account_id = %s for no key update", (account_id,)
    ).fetchone()
    return row[0] if row else None


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
