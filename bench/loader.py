"""Fills a store past the API: accounts, tokens, and games with valid chains of hashes."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID

import psycopg

from bench.prepared import PreparedGame, account_of
from shared.eventstore.records import NO_HASH, NewRecord, chain_hash, part_of, read_envelope
from shared.http.tokens import SCOPES, Token
from shared.ids import uuid7

Game = tuple[UUID, Sequence[NewRecord], bytes]
"""Its id, its records and its seed."""

_EVENTS = """
    copy es.events (part, seq, game_id, version, command_id, command_ix, type, record, hash)
    from stdin"""


def add_accounts(database_url: str, count: int) -> list[str]:
    """Make the accounts with the numbers from 0 on; returns the secret of each one's token."""
    tokens = [Token.make() for _ in range(count)]
    with psycopg.connect(database_url) as connection, connection.cursor() as cursor:
        cursor.executemany(
            "insert into es.accounts (account_id, name) values (%s, %s)",
            [(account_of(number), f"player-{number}") for number in range(count)],
        )
        cursor.executemany(
            "insert into es.tokens (token_id, account_id, token_hash, label, scopes)"
            " values (%s, %s, %s, 'bench', %s)",
            [
                (uuid7(), account_of(number), token.digest, list(SCOPES))
                for number, token in enumerate(tokens)
            ],
        )
    return [token.secret for token in tokens]


def add_games(database_url: str, games: Iterable[Game]) -> int:
    """Append these games as they are; returns the number of events."""
    with psycopg.connect(database_url) as connection, connection.cursor() as cursor:
        cursor.execute("select part, max(seq) from es.events group by part")
        heads: Counter[int] = Counter(dict(cursor.fetchall()))
        seeds = []
        before = heads.total()
        with cursor.copy(_EVENTS) as copy:
            for game_id, records, seed in games:
                part = part_of(game_id)
                seeds.append((game_id, seed))
                for record in records:
                    heads[part] += 1
                    copy.write_row(_row(part, heads[part], game_id, record))
        cursor.executemany("insert into es.seeds (game_id, seed) values (%s, %s)", seeds)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("vacuum analyze es.events")
    return heads.total() - before


def copy_of(game: PreparedGame, moves: int | None = None) -> Game:
    """Give the game under another id, its chain made anew.

    Its draws do not follow from its seed any more, so it can be looked at but not played on.
    """
    game_id, head, records = uuid7(), NO_HASH, []
    for record in game.records if moves is None else game.until(moves):
        text = record.text.replace(str(game.game_id), str(game_id))
        head = chain_hash(head, text)
        records.append(NewRecord(record.version, record.command_ix, record.type, text, head))
    return game_id, records, secrets.token_bytes(32)


def command_id_of(record: NewRecord) -> bytes:
    """The command that the record says it belongs to."""
    return bytes.fromhex(read_envelope(record.text).command_id)


def _row(part: int, seq: int, game_id: UUID, record: NewRecord) -> tuple[object, ...]:
    command = (command_id_of(record), record.command_ix)
    return part, seq, game_id, record.version, *command, record.type, record.text, record.hash
