"""Two games that differ only in what a viewer may not know are told to him in the same bytes."""

from __future__ import annotations

import copy
import os
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import combinations
from uuid import UUID

import pytest
from msgspec import json

from services.commands.app import create_app as create_commands
from services.projector.wiring import wire
from services.queries.app import create_app as create_queries
from shared.config import Settings
from shared.engine.options import Options
from shared.eventstore.canonical import canonical
from shared.eventstore.pool import Pool, Role
from shared.eventstore.records import NO_HASH, NewRecord, chain_hash
from shared.eventstore.store import EventStore
from shared.table.state import Status
from tests import servers
from tests.privacy.conftest import Headers, Origin, told
from tests.services.conftest import closing
from tests.services.projector.games import drain_all
from tests.services.queries.conftest import Archive
from tests.tables import SEED, Play

GAMES = int(os.environ.get("PROPERTY_GAMES", "40")) // 10
FIRST = int(os.environ.get("PROPERTY_SEED", "1"))
OTHER_SEED = bytes(reversed(SEED))
EXCEPTED = re.compile(rb'"(?:head_hash|hash|record|time|updated_at|command_id)":"(?:[^"\\]|\\.)*"')
"""Events are whole for everybody, and so are the hashes over them; times are those of the test."""

Answers = dict[str, tuple[int, dict[str, str], bytes]]
"""By request."""


def gains(play: Play) -> list[tuple[int, int]]:
    """Version and seat of each event by which somebody got points."""
    documents = [json.decode(record.text) for record in play.records]
    return [
        (document["version"], document["body"]["seat"])
        for document in documents
        if document["body"].get("points", 0) > 0
    ]


def played(seed: int) -> Play:
    """A game that runs, in which three have points."""
    rng = random.Random(seed)
    play = Play(4, Options(buildings=rng.choice(("base", "random"))), rng=rng).start()
    while play.table.status is Status.RUNNING and len({seat for _, seat in gains(play)}) < 3:
        play.moves(5)
    play.moves(rng.randint(0, 30))
    return play if play.table.status is Status.RUNNING else played(seed + 1_000_000)


def with_points(play: Play, more: Mapping[int, int]) -> Play:
    """The same game, but so many more points (or less) in the events of these versions."""
    head, other = NO_HASH, copy.copy(play)
    other.records, other.unstored = [], []
    for command_id, records in play.unstored:
        changed: list[NewRecord] = []
        for record in records:
            document = json.decode(record.text)
            if record.version in more:
                document["body"]["points"] += more[record.version]
            text = canonical(document)
            head = chain_hash(head, text)
            changed.append(NewRecord(record.version, record.command_ix, record.type, text, head))
        other.unstored.append((command_id, changed))
        other.records += changed
    other.table = other.replayed()
    return other


def observed(settings: Settings, play: Play, seed: bytes, viewer: int, versions: range) -> Answers:
    """All that this seat, a stranger and nobody are told of the game, alone on fresh servers."""
    servers.empty_database(settings.database_url)
    servers.empty_redis(settings.redis_url)
    with ExitStack() as running:
        pool, wiring = Pool(settings.database_url, Role.COMMANDS), wire(settings)
        for closes in (pool, wiring.pool, wiring.redis):
            running.callback(closes.close)
        play = copy.copy(play)
        play.unstored = list(play.unstored)
        play.store(EventStore(pool), seed=seed)
        drain_all(wiring)
        archive = Archive(pool, EventStore(pool))
        origin = Origin(
            running.enter_context(closing(create_commands(settings))),
            running.enter_context(closing(create_queries(settings))),
        )
        viewers = {
            "seat": archive.sign_in(UUID(play.table.seats[viewer])),
            "stranger": archive.sign_in(UUID(int=1)),
            "nobody": {},
        }
        return {
            f"{name} {request}": answer
            for name, who in viewers.items()
            for request, answer in answers(origin, play, who, versions)
        }


def answers(
    origin: Origin, play: Play, who: Headers, versions: range
) -> Iterator[tuple[str, tuple[int, dict[str, str], bytes]]]:
    """Everything there is to ask, and at the end a move, if it needs no draw."""
    path = f"/v1/games/{play.game_id}"

    def ask(method: str, address: str, body: object = None, **headers: str) -> bytes:
        status, kept, document = told(origin.ask(method, address, who, body, **headers))
        found.append((f"{method} {address} {body}", (status, kept, EXCEPTED.sub(b"", document))))
        return document

    found: list[tuple[str, tuple[int, dict[str, str], bytes]]] = []
    head = play.table.version
    for address in (path, f"{path}/legal-moves", f"{path}?min_version={head}", f"{path}?at={head}"):
        ask("GET", address)
        ask("HEAD", address)
    for version in versions:
        ask("GET", f"{path}?at={version}")
    for address in ("/v1/games", "/v1/me/games", "/v1/me/turns", f"{path}?min_version={head + 1}"):
        ask("GET", address)
    ask("GET", path, If_None_Match=f'"{head}.w.1"')
    ask(
        "POST",
        f"{path}/moves",
        {"move": {"type": "choose_role", "role": "prospector"}},
        If_Match='"1"',
    )
    legal = json.decode(ask("GET", f"{path}/legal-moves"))
    made = [*legal.get("moves", []), *(move["example"] for move in legal.get("open_moves", []))]
    certain = None
    for move in random.Random(head).sample(made, min(len(made), 10)):
        preview = json.decode(ask("POST", f"{path}/preview", {"move": move}))
        certain = certain if preview.get("chance", True) or preview["ends_game"] else move
    if certain:
        ask("POST", f"{path}/moves", {"move": certain})
        ask("GET", path)
    yield from found


@pytest.mark.parametrize("seed", range(FIRST, FIRST + GAMES))
def test_neither_the_split_of_the_others_points_nor_the_seed_can_be_seen(
    settings: Settings, seed: int
) -> None:
    play, rng = played(seed), random.Random(seed)
    game = play.table.game
    assert game is not None
    viewer = game.awaiting[0].seat
    others = [gain for gain in gains(play) if gain[1] != viewer]
    pairs = [pair for pair in combinations(others, 2) if pair[0][1] != pair[1][1]]
    (earlier, _), (later, _) = rng.choice(pairs)
    changed = with_points(play, {earlier: -1, later: 1})
    versions = range(later, play.table.version, 9)
    one = observed(settings, play, SEED, viewer, versions)
    other = observed(settings, changed, OTHER_SEED, viewer, versions)
    shown = f"seat GET /v1/games/{play.game_id} None"
    assert b'"victory_points":null' in one[shown][2]
    assert one == other


@pytest.mark.parametrize("seed", [FIRST])
def test_whose_points_they_are_can_see_them(settings: Settings, seed: int) -> None:
    play = played(seed)
    version, seat = gains(play)[-1]
    other = with_points(play, {version: 1})
    states = [
        observed(settings, each, SEED, seat, range(0))[f"seat GET /v1/games/{play.game_id} None"]
        for each in (play, other)
    ]
    assert states[0] != states[1]
