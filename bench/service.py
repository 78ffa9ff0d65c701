"""The services under load, against the barest endpoint on the same kind of workers.

Ours and the bare one are measured in turns, so that what else the machine does falls on both.
"""

from __future__ import annotations

import itertools
import json
import statistics
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event, Thread

import redis

from bench.load import Connection, Result, connect, drive, request
from bench.loader import add_games, command_id_of
from bench.prepared import PreparedGame, prepare
from bench.rig import Rig
from bench.table import Row
from shared.engine.options import Options

CLIENTS = (1, 4, 16)
COSTED = 4
LEAST_COST = 10.0
GAMES_EACH = {1: 8, 4: 4, 16: 2}
READERS = 16
EARLY, LATE, STRETCH = 10, 300, 50
POLL_SECONDS = 0.002
ACCEPT_SECONDS = 0.02
BARE_BODY = json.dumps({"move": {"type": "take_plantation", "tile": "quarry"}}).encode()


Costs = dict[str, float]
"""By process."""


@dataclass
class Driven:
    """What came of a load, and whose processor time it took, in seconds."""

    result: Result
    spent: dict[str, float]

    @property
    def costs(self) -> Costs:
        """Microseconds for each request."""
        requests = len(self.result.took)
        return {name: spent / requests * 1e6 for name, spent in self.spent.items()}


@dataclass
class Compared:
    """Ours and the bare one, round by round."""

    rounds: Sequence[tuple[Driven, Driven]]

    @property
    def last(self) -> Result:
        return self.rounds[-1][0].result

    @property
    def rates(self) -> tuple[float, float]:
        ours, bare = zip(*((a.result.rate, b.result.rate) for a, b in self.rounds), strict=True)
        return statistics.median(ours), statistics.median(bare)

    @property
    def ratio(self) -> float:
        return statistics.median(a.result.rate / b.result.rate for a, b in self.rounds)

    def cost_row(self, what: str) -> Row:
        """Where the processor time goes; hardly touched by what else the machine does."""
        ours, bare = (_medians([d.costs for d in side]) for side in zip(*self.rounds, strict=True))
        return Row(what, _shown(ours), _shown(bare), sum(bare.values()) / sum(ours.values()))


@dataclass
class Load:
    """The services, who plays, and how long each figure is measured."""

    rig: Rig
    tokens: Sequence[str]
    seconds: float
    rounds: int
    number: Iterator[int]
    """Of the next prepared game."""

    def games(self, count: int, players: int = 4, moves: int = 0) -> list[PreparedGame]:
        """Prepare games with so many moves at least."""
        options = Options(buildings="random")
        fresh = (prepare(range(players), options, number) for number in self.number)
        return list(itertools.islice((g for g in fresh if len(g.moves) > moves), count))

    def begin(self, games: Sequence[PreparedGame], move: int = 0) -> None:
        """Put games into the store as they stand at this move."""
        add_games(self.rig.database_url, [(g.game_id, g.until(move), g.seed) for g in games])

    def moves(self, game: PreparedGame, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Write out the requests that make the game's moves."""
        path = f"/v1/games/{game.game_id}/moves"
        for move in game.moves[begin:end]:
            yield request("POST", path, self.tokens[move.player], move.body)

    def appends(self, game: PreparedGame) -> Iterator[bytes]:
        """Write out the requests that make a bare endpoint append what the moves come to."""
        for move in range(len(game.moves)):
            before, after = game.versions[move : move + 2]
            records = game.records[before:after]
            command, head = command_id_of(records[0]).hex(), game.records[before - 1].hash.hex()
            texts = [record.text for record in records]
            body = "\n".join([str(game.game_id), str(before), head, command, *texts])
            yield request("POST", "/append", "none", body.encode())

    def streams(
        self, clients: int, requests: Callable[[PreparedGame], Iterator[bytes]]
    ) -> list[Iterator[bytes]]:
        """Begin games, and give each client the requests of some of them."""
        games = self.games(clients * GAMES_EACH[clients])
        self.begin(games)
        return [
            itertools.chain.from_iterable(map(requests, games[client::clients]))
            for client in range(clients)
        ]

    def connect(self, service: str, streams: Sequence[Iterator[bytes]]) -> list[Connection]:
        """One after another: a burst spreads over the workers a little less evenly."""
        opened = []
        for stream in streams:
            opened.append(connect(self.rig.addresses[service], stream))
            time.sleep(ACCEPT_SECONDS)
        return opened

    def bare(self, service: str, clients: int) -> list[Connection]:
        stores = service == "commands"
        asked = request("POST" if stores else "GET", "/", "none", BARE_BODY if stores else b"")
        return self.connect(f"bare {service}", [itertools.repeat(asked)] * clients)

    def interleaved(
        self, ours: list[Connection], bare: list[Connection], status: bytes
    ) -> Compared:
        """Drive ours and the bare one in turns."""
        drive(bare, 0.2)
        pairs = []
        for _ in range(self.rounds):
            mine = self._driven(ours)
            assert set(mine.result.statuses) == {status}, mine.result.statuses
            pairs.append((mine, self._driven(bare)))
        return Compared(pairs)

    def _driven(self, connections: list[Connection]) -> Driven:
        before = self.rig.used()
        result = drive(connections, self.seconds)
        spent = {name: used - before.get(name, 0) for name, used in self.rig.used().items()}
        return Driven(result, spent)


def move_rows(load: Load, counts: Sequence[int] = CLIENTS, how: str = "") -> Iterator[Row]:
    """Moves, each a commit, by so many clients who each play at all seats of their games."""
    for clients in counts:
        streams = load.streams(clients, load.moves)
        compared = load.interleaved(
            load.connect("commands", streams), load.bare("commands", clients), b"201"
        )
        named = f"{clients} client{'s' if clients > 1 else ''}{how}"
        yield _rate_row(f"moves, {named}", compared, "one row inserted")
        if clients == COSTED:
            yield compared.cost_row(f"processor time of a move, {named}")


def floor_rows(load: Load) -> Iterator[Row]:
    """The store's part of a move behind a bare endpoint: what no service could be faster than."""
    streams = load.streams(COSTED, load.appends)
    compared = load.interleaved(
        load.connect("bare commands", streams), load.bare("commands", COSTED), b"201"
    )
    what = f"the records of a move appended by a bare endpoint, {COSTED} clients"
    yield _rate_row(what, compared, "one row inserted")
    yield compared.cost_row(f"processor time of {what}")


def depth_rows(load: Load) -> Iterator[Row]:
    """The same moves early and late in long games."""
    games = load.games(8, players=5, moves=LATE + STRETCH)
    halves = {EARLY: games[:4], LATE: games[4:]}
    for move, some in halves.items():
        load.begin(some, move)
    rates = {EARLY: [0.0], LATE: [0.0]}
    size = STRETCH // load.rounds
    for step in range(load.rounds):
        for move, some in halves.items():
            begin = move + step * size
            streams = [load.moves(game, begin, begin + size) for game in some]
            result = drive(load.connect("commands", streams), 60)
            assert set(result.statuses) == {b"201"}, result.statuses
            rates[move].append(result.rate)
    early, late = (statistics.median(rates[move][1:]) for move in (EARLY, LATE))
    yield Row(
        f"moves at move {LATE} of a game, 4 clients",
        f"{late:.0f}/s",
        f"at move {EARLY}: {early:.0f}/s",
        late / early,
    )


def read_rows(load: Load) -> Iterator[Row]:
    """Reads of a state that lies ready, whole and with If-None-Match."""
    [game] = load.games(1)
    load.begin([game], 100)
    path, token = f"/v1/games/{game.game_id}", load.tokens[0]
    document, tag = _settled(load, path, token, game.versions[100])
    with redis.Redis.from_url(load.rig.redis_url) as client:
        client.set("bare", document)
    asks = {
        f"reads of the state ({len(document)} bytes), {READERS} clients": (b"200", None),
        f"the same with If-None-Match, {READERS} clients": (b"304", tag),
    }
    for what, (status, had) in asks.items():
        streams = [itertools.repeat(request("GET", path, token, if_none_match=had))] * READERS
        compared = load.interleaved(
            load.connect("queries", streams), load.bare("queries", READERS), status
        )
        yield _rate_row(what, compared, "one Redis key answered")
        yield compared.cost_row(f"processor time of {what}")


def lag_row(load: Load) -> Row:
    """From the answer to a move until a read shows it, while four clients play."""
    watched, *played = load.games(9)
    load.begin([watched, *played])
    streams = [
        itertools.chain(load.moves(one), load.moves(other))
        for one, other in zip(played[::2], played[1::2], strict=True)
    ]
    over = Event()
    busy = Thread(target=_busy, args=(load.connect("commands", streams), over))
    busy.start()
    lags = _lags(load, watched, over)
    busy.join()
    return Row(
        "from a move's answer to a read that shows it, while 4 clients play",
        f"p50 {_ms(lags, 0.5)}, p99 {_ms(lags, 0.99)} ({len(lags)} moves)",
    )


def _busy(connections: list[Connection], over: Event) -> None:
    drive(connections, 6)
    over.set()


def _lags(load: Load, game: PreparedGame, over: Event) -> list[float]:
    path, lags = f"/v1/games/{game.game_id}", list[float]()
    for move, body in zip(game.moves, load.moves(game), strict=True):
        if over.is_set():
            break
        drive(load.connect("commands", [iter([body])]), 1)
        answered, version = time.perf_counter(), game.versions[len(lags) + 1]
        while _version(load, path, load.tokens[move.player]) < version:
            time.sleep(POLL_SECONDS)
        lags.append(time.perf_counter() - answered)
    return lags


def _settled(load: Load, path: str, token: str, version: int) -> tuple[bytes, str]:
    """Wait until the read model has this version; the document and its ETag."""
    while _version(load, path, token) < version:
        time.sleep(POLL_SECONDS)
    return _get(load, path, token)


def _version(load: Load, path: str, token: str) -> int:
    _, tag = _get(load, path, token)
    return int(tag.strip('"').split(".")[0])


def _get(load: Load, path: str, token: str) -> tuple[bytes, str]:
    asked = urllib.request.Request(  # noqa: S310
        load.rig.addresses["queries"] + path, headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(asked) as answer:  # noqa: S310
        return answer.read(), answer.headers["ETag"]


def _rate_row(what: str, compared: Compared, bare: str) -> Row:
    (ours, theirs), last = compared.rates, compared.last
    return Row(
        what,
        f"{ours:.0f}/s, p50 {_ms(last.took, 0.5)}, p99 {_ms(last.took, 0.99)}",
        f"{bare}: {theirs:.0f}/s; generator uses {last.own_share:.2f} of a processor",
        compared.ratio,
    )


def _medians(rounds: Sequence[Costs]) -> Costs:
    names = {name for costs in rounds for name in costs}
    return {name: statistics.median(costs.get(name, 0) for costs in rounds) for name in names}


def _shown(costs: Costs) -> str:
    """The sum, and what the greater ones are."""
    greatest = sorted(costs.items(), key=lambda item: -item[1])
    shown = [f"{name} {cost:.0f}" for name, cost in greatest if cost >= LEAST_COST]
    return f"{sum(costs.values()):.0f} µs: {', '.join(shown)}"


def _ms(took: Sequence[float], part: float) -> str:
    return f"{sorted(took)[int(len(took) * part)] * 1000:.1f} ms"
