"""What must hold after all faults. Each check lists what does not, in words."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import httpx
import msgspec
import psycopg

from services.projector.wiring import Wiring, wire
from shared.config import Settings
from shared.eventstore.records import Record
from shared.eventstore.verify import verify_chain
from shared.http.idempotency import command_id
from shared.readmodel.documents import (
    account_list,
    document_field,
    game_hash,
    legal_field,
    public_list,
    turn_list,
)
from shared.readmodel.keys import Keys
from shared.table.state import Table
from tests.faults.bots import Journal, Player, insist
from tests.faults.room import Up
from tests.services.projector.games import expected_lists, lists

Log = Mapping[UUID, Sequence[Record]]
PAGE = 100


@contextmanager
def looking_at(up: Up) -> Iterator[Wiring]:
    wiring = wire(Settings.from_env({"DATABASE_URL": up.database_url, "REDIS_URL": up.redis_url}))
    try:
        yield wiring
    finally:
        wiring.pool.close()
        wiring.redis.close()


def read_log(up: Up, wiring: Wiring) -> Log:
    """Every record there is, by game."""
    with psycopg.connect(up.database_url) as connection:
        games = [game for (game,) in connection.execute("select distinct game_id from es.events")]
    return {game: wiring.store.read(game) for game in games}


def await_projection(wiring: Wiring, seconds: float) -> bool:
    """Whether the read models reach the end of the log."""
    deadline = time.monotonic() + seconds
    while wiring.projector.checkpoints(wiring.generations.live()) != wiring.store.heads():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def faults_of_log(log: Log, journal: Journal) -> Iterator[str]:
    """An accepted request is stored once and as it was answered; nothing else is stored."""
    for game, records in log.items():
        if broken := verify_chain(records):
            yield f"chain of {game}: {broken.reason} at {broken.version}"
    commands = _commands(log)
    for promise in journal.promises:
        stored = commands.get(command_id(UUID(promise.account), promise.key).hex(), [])
        told = [(promise.answer["id"], e["version"], e["hash"]) for e in promise.answer["events"]]
        if [(str(r.game_id), r.version, r.hash.hex()) for r in stored] != told:
            yield f"accepted, but not stored once as answered: {told}"
    asked = {command_id(UUID(account), key).hex() for account, key in journal.asked}
    yield from (f"stored, but nobody asked: {command}" for command in commands.keys() - asked)
    yield from (f"game not finished: {game}" for game in journal.games if game not in journal.over)


def faults_of_read_models(wiring: Wiring, tables: Sequence[Table], keys: Keys) -> Iterator[str]:
    """Every document and every list, byte by byte, is the fold of the log."""
    for table in tables:
        held = wiring.redis.hgetall(keys.game(UUID(table.game_id)))
        yield from _differences(f"game {table.game_id}", _documents(table), held)
    yield from _differences("lists", expected_lists(tables), lists(wiring, keys))
    if dead := wiring.dead_letters.unresolved():
        yield f"given up: {dead}"


def faults_of_api(up: Up, tables: Sequence[Table], players: Sequence[Player]) -> Iterator[str]:
    """Everybody is shown the same."""
    by_account = {player.account: player for player in players}
    with httpx.Client(base_url=up.queries_url, timeout=30) as http:
        for table in tables:
            path = f"/v1/games/{table.game_id}"
            shown = {document_field(None): _get(http, path, None)}
            for seat, account in enumerate(table.seats):
                player = by_account[account]
                shown[document_field(seat)] = _get(http, path, player)
                shown[legal_field(seat)] = _get(http, f"{path}/legal-moves", player)
            held = _documents(table)
            expected = {field: held[field.encode()] for field in shown}
            yield from _differences(f"answers about {table.game_id}", expected, shown)
        yield from _faults_of_lists(http, tables, players)


def _faults_of_lists(
    http: httpx.Client, tables: Sequence[Table], players: Sequence[Player]
) -> Iterator[str]:
    """The first page of each list that a player reads."""
    held = expected_lists(tables)
    for player in players:
        for path, name in {
            "/v1/games": public_list(None),
            "/v1/me/games": account_list(player.account, None),
            "/v1/me/turns": turn_list(player.account),
        }.items():
            newest = sorted(held.get(name, {}).items(), reverse=True)[:PAGE]
            expected = [msgspec.json.decode(document or b"null") for _, document in newest]
            page = msgspec.json.decode(_get(http, f"{path}?limit={PAGE}", player))
            if page["items"] != expected:
                yield f"{path} of {player.account}: {len(page['items'])}, not {len(expected)}"


def _commands(log: Log) -> dict[str, list[Record]]:
    """By command id, its records in all games, in order."""
    found: dict[str, list[Record]] = defaultdict(list)
    for records in log.values():
        for record in records:
            found[record.command_id.hex()].append(record)
    return found


def _get(http: httpx.Client, path: str, player: Player | None) -> bytes:
    headers = {"Authorization": f"Bearer {player.reads.token}"} if player else {}
    answer = insist(lambda: http.get(path, headers=headers))
    assert answer.status_code == httpx.codes.OK, answer.text
    return answer.content


def _documents(table: Table) -> dict[bytes, bytes]:
    fields = game_hash(table).fields
    return {
        name.encode(): value if isinstance(value, bytes) else value.encode()
        for name, value in fields.items()
    }


def _differences(
    what: str, expected: Mapping[Any, object], found: Mapping[Any, object]
) -> Iterator[str]:
    keys = [key for key in {**expected, **found} if expected.get(key) != found.get(key)]
    if keys:
        yield f"{what}: {len(keys)} differ, such as {keys[:3]}"
