"""Random games of all kinds: PROPERTY_GAMES says how many, PROPERTY_SEED which is the first."""

from __future__ import annotations

import copy
import json
import os
import random

import pytest
from msgspec import Struct

from shared.engine import Game, RuleViolation, decide, evolve, legal, opening, play, preview, set_up
from shared.engine.commands import Command, Pass, StoreGoods
from shared.engine.errors import GameIsOver, NotAwaited
from shared.engine.events import (
    CargoShipsEmptied,
    ColonistsTaken,
    DoubloonsGained,
    DraftEnded,
    Event,
    GameSetUp,
    GoodsProduced,
    GoodsShipped,
    PlantationsDiscarded,
    PlantationsTurnedUp,
    PointsGained,
    TurnsSkipped,
)
from shared.engine.open_moves import open_moves
from shared.eventstore.canonical import canonical
from shared.table.chance import Draws
from shared.table.state import Table
from shared.wire.events import decode_event, encode_event
from shared.wire.moves import decode_move, encode_move
from shared.wire.tables import decode_table, encode_table
from tests.properties.invariants import check_bounds, check_points, check_totals, totals
from tests.properties.options import any_options
from tests.properties.player import any_command, fill_in
from tests.properties.universe import LISTED, unlisted

GAMES = int(os.environ.get("PROPERTY_GAMES", "40"))
FIRST = int(os.environ.get("PROPERTY_SEED", "1"))


class Played(Struct):
    """A game to its end: the state before each move, and the move."""

    draw: Draws
    opening: list[Event]
    moments: list[tuple[Game, int, Command]]
    game: Game


def played(seed: int) -> Played:
    rng, draw = random.Random(seed), Draws(seed.to_bytes(32, "big"))
    players = 2 + seed % 4
    turn = set_up(players, any_options(rng, players), draw)
    game, moments = turn.game, list[tuple[Game, int, Command]]()
    while not game.is_over:
        assert len(moments) < 5000
        seat = _mover(rng, game)
        command = any_command(rng, game, seat)
        moments.append((game.clone(), seat, command))
        play(game, seat, command, draw)
    return Played(draw, turn.events, moments, game)


def _mover(rng: random.Random, game: Game) -> int:
    """A seat that is awaited, or now and then one that may move its guests meanwhile."""
    seats = [seat for seat in range(len(game.players)) if open_moves(game, seat)]
    if seats and rng.random() < 0.1:
        return rng.choice(seats)
    return rng.choice(game.awaiting).seat


@pytest.fixture(params=range(FIRST, FIRST + GAMES), scope="module")
def random_game(request: pytest.FixtureRequest) -> Played:
    return played(int(request.param))


def test_every_event_conserves_all_there_is(random_game: Played) -> None:
    chips = _set_up(random_game.opening).supply.victory_points
    for moment, seat, command in random_game.moments:
        game = moment.clone()
        before = totals(game)
        for event in decide(game, seat, command, random_game.draw):
            evolve(game, event)
            after = totals(game)
            if not isinstance(event, DraftEnded):  # then the buildings come out of the box
                check_totals(before, after)
            check_bounds(game)
            check_points(game, chips)
            before = after


def test_no_event_says_that_nothing_happened(random_game: Played) -> None:
    for game, seat, command in random_game.moments:
        for event in decide(game, seat, command, random_game.draw):
            match event:
                case PointsGained(points=count) | ColonistsTaken(colonists=count):
                    assert count > 0
                case DoubloonsGained(doubloons=count):
                    assert count > 0
                case TurnsSkipped(seats=some) | PlantationsDiscarded(tiles=some):
                    assert some
                case CargoShipsEmptied(ships=some) | PlantationsTurnedUp(tiles=some):
                    assert some
                case GoodsProduced(goods=barrels) | GoodsShipped(goods=barrels):
                    assert min(barrels.values()) > 0
                case _:
                    pass


def test_somebody_can_always_move_until_the_game_is_over(random_game: Played) -> None:
    for game, _, _ in random_game.moments:
        assert game.awaiting
        for asked in game.awaiting:
            assert legal(game, asked.seat) or open_moves(game, asked.seat)
    assert random_game.game.is_over
    assert not random_game.game.awaiting


def test_nobody_is_asked_who_could_only_pass(random_game: Played) -> None:
    for game, _, _ in random_game.moments:
        for asked in game.awaiting:
            assert legal(game, asked.seat) != [Pass()] or open_moves(game, asked.seat)


def test_what_is_offered_is_what_is_accepted(random_game: Played) -> None:
    rng = random.Random(1)
    for game, seat, _ in rng.sample(random_game.moments, len(random_game.moments) // 4):
        offered = legal(game, seat)
        filled_in = [fill_in(rng, move) for move in open_moves(game, seat)]
        for command in [*offered, *filled_in]:
            assert accepted(game, seat, command, random_game.draw), command
        for command in rng.sample(LISTED, 12):
            expected = command in offered
            assert accepted(game, seat, command, random_game.draw) == expected, command


def test_a_refusal_changes_nothing(random_game: Played) -> None:
    rng = random.Random(2)
    for game, _, _ in random_game.moments:
        seat = rng.randrange(len(game.players))
        accepted(game, seat, unlisted(rng), random_game.draw)


def accepted(game: Game, seat: int, command: Command, draw: Draws) -> bool:
    """Whether the command is accepted; `play` on the game itself must leave it alone if not."""
    played, read = game.clone(), decode_move(encode_move(command))
    assert read == command
    try:
        play(played, seat, command, draw)
    except RuleViolation:
        assert played == game
        return False
    return True


def test_all_storages_offered_differ_and_none_is_part_of_another(random_game: Played) -> None:
    for game, seat, _ in random_game.moments:
        offered = [c for c in legal(game, seat) if isinstance(c, StoreGoods)]
        held = game.players[seat].goods
        kept = [
            {good: held[good] for good in command.warehouses} | command.barrels
            for command in offered
        ]
        for one in kept:
            for other in (other for other in kept if other is not one):
                assert any(barrels > other.get(good, 0) for good, barrels in one.items())


def test_who_is_not_awaited_may_at_most_move_guests(random_game: Played) -> None:
    for game, _, _ in random_game.moments[::5]:
        for seat in range(len(game.players)):
            if game.asked(seat) is None:
                assert legal(game, seat) == []
                with pytest.raises(NotAwaited):
                    decide(game, seat, Pass(), random_game.draw)


def test_when_the_game_is_over_nobody_moves(random_game: Played) -> None:
    with pytest.raises(GameIsOver):
        play(random_game.game, 0, Pass(), random_game.draw)


def test_deciding_leaves_the_game_as_it_was(random_game: Played) -> None:
    for game, seat, command in random_game.moments:
        before = game.clone()
        events = decide(game, seat, command, random_game.draw)
        turn, chance = preview(game, seat, command)
        assert game == before
        assert turn.events == events if not chance else turn.events == events[: len(turn.events)]


def test_replaying_the_stored_events_gives_the_live_state(random_game: Played) -> None:
    events = [_stored(event) for event in random_game.opening]
    game = _set_up(events)
    for event in events[1:]:
        evolve(game, event)
    for moment, seat, command in random_game.moments:
        assert game == moment
        for event in decide(moment, seat, command, random_game.draw):
            evolve(game, _stored(event))
    assert game == random_game.game


def test_a_stored_state_is_read_back_as_it_was(random_game: Played) -> None:
    for game, _, _ in random_game.moments:
        table = Table("game", "creator", "public", game.options, "", 1, game=game)
        assert decode_table(encode_table(table)) == table


def test_a_clone_is_equal_and_shares_nothing(random_game: Played) -> None:
    for game, _, _ in random_game.moments[::10]:
        clone = game.clone()
        assert clone == copy.deepcopy(game)
        assert not _mutables(clone) & _mutables(game)


def _set_up(events: list[Event]) -> Game:
    first = events[0]
    assert isinstance(first, GameSetUp)
    return opening(first)


def _stored(event: Event) -> Event:
    """The event as it comes back from its canonical record."""
    name, version, body = encode_event(event)
    read = decode_event(name, version, json.loads(canonical(body)))
    assert read == event
    assert isinstance(read, Event)
    return read


def _mutables(value: object) -> set[int]:
    """The identities of all that could be changed inside this value."""
    match value:
        case dict():
            inner = list(value.values())
        case list() | tuple():
            inner = list(value)
        case Struct():
            inner = [getattr(value, name) for name in value.__struct_fields__]
        case _:
            return set()
    frozen = isinstance(value, tuple) or (
        isinstance(value, Struct) and value.__struct_config__.frozen
    )
    found = set[int]() if frozen else {id(value)}
    return found.union(*map(_mutables, inner))
