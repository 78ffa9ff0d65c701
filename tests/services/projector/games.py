"""Games in the log, and what their read models must be: the fold of the log, whoever made them."""

import random
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from uuid import UUID

from services.projector.wiring import Wiring, wire
from shared.config import Settings
from shared.eventstore.fold import fold
from shared.eventstore.records import NewEvent, Origin, build_records, time_after
from shared.eventstore.store import EventStore
from shared.ids import uuid7
from shared.readmodel.documents import game_hash, places
from shared.readmodel.keys import Keys
from shared.table.state import Status, Table
from tests.tables import Play

PART = 7


def game_in(part: int) -> UUID:
    return UUID(bytes=uuid7().bytes[:15] + bytes([part]))


def plays(count: int, parts: Iterable[int] = (PART,), seed: int = 1) -> list[Play]:
    """Games with shared players, opened but not stored."""
    rng = random.Random(seed)
    accounts = [uuid7() for _ in range(6)]
    return [
        Play(
            rng.sample(accounts, rng.randint(2, 5)),
            visibility=rng.choice(["public", "public", "private"]),
            rng=random.Random(rng.random()),
            game_id=game_in(part),
        )
        for part, _ in zip(cycle(parts), range(count), strict=False)
    ]


def go_on(play: Play) -> None:
    """Something happens at the table, unless the game is over."""
    if play.table.status is Status.OPEN:
        play.start()
    else:
        play.moves(play.rng.randint(1, 8))


def drain_all(wiring: Wiring) -> None:
    for part, head in wiring.store.heads().items():
        if head:
            assert wiring.projector.drain(part, wiring.generations.live)


def table_of(store: EventStore, game_id: UUID) -> Table:
    table = fold(store.read(game_id))
    assert table is not None
    return table


@contextmanager
def another(settings: Settings) -> Iterator[Wiring]:
    """What another process has: it learns of a switch by itself."""
    wiring = wire(settings)
    try:
        yield wiring
    finally:
        wiring.pool.close()
        wiring.redis.close()


def await_up_to_date(settings: Settings) -> None:
    """By connections of its own."""
    end = time.monotonic() + 30
    with another(settings) as other:
        while other.projector.checkpoints(other.generations.live()) != other.store.heads():
            assert time.monotonic() < end
            time.sleep(0.1)


def assert_read_models_are_the_log(wiring: Wiring, games: Iterable[Play]) -> None:
    """Every byte, every place, and every checkpoint."""
    keys = wiring.generations.live()
    tables = [table_of(wiring.store, play.game_id) for play in games]
    for table in tables:
        held = wiring.redis.hgetall(keys.game(UUID(table.game_id)))
        expected = game_hash(table).fields
        assert held == {field.encode(): _bytes(value) for field, value in expected.items()}
    assert lists(wiring, keys) == expected_lists(tables)
    assert wiring.projector.checkpoints(keys) == wiring.store.heads()


def lists(wiring: Wiring, keys: Keys) -> dict[str, dict[str, bytes | None]]:
    """List → member → document, as they are in Redis."""
    found: dict[str, dict[str, bytes | None]] = {}
    for key in wiring.redis.scan_iter(f"{keys.list_prefix}*"):
        with wiring.redis.pipeline() as pipe:
            pipe.zrange(key, 0, -1)
            pipe.hgetall(keys.documents)
            members, documents = pipe.execute()
        name = key.decode().removeprefix(keys.list_prefix)
        found[name] = {member.decode(): documents.get(member) for member in members}
    return found


def expected_lists(tables: Iterable[Table]) -> dict[str, dict[str, bytes | None]]:
    expected: dict[str, dict[str, bytes | None]] = {}
    for table in tables:
        shown = places(table)
        for name, member in shown.members.items():
            expected.setdefault(name, {})[member] = shown.documents[member]
    return expected


def append_unknown(store: EventStore, play: Play, name: str = "unknown") -> None:
    """An event that newer code wrote: this code cannot fold it."""
    head = store.head(play.game_id)
    now = time_after(None)
    origin = Origin(game_id=play.game_id, command_id=uuid7().bytes, time=now, actor=None)
    event = NewEvent(name, 1, {"account": str(uuid7()), "nonce": ""})
    records = build_records([event], origin, head.version, head.hash)
    store.append(play.game_id, head.version, head.hash, origin.command_id, records)


def _bytes(value: bytes | str) -> bytes:
    return value.encode() if isinstance(value, str) else value
