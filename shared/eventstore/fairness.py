"""Checks the draws of a game that is over: each is what the seed committed to at first decides."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from shared.eventstore.records import NewRecord, Record, read_envelope
from shared.table import state
from shared.table.chance import Draws, commitment, draw_key
from shared.table.decide import AnyEvent
from shared.table.events import GameCreated
from shared.table.fairness import as_drawn
from shared.table.state import Table
from shared.wire.events import decode_event


class Unfair(Struct, frozen=True):
    """The first version at which an event is not what the seed decides, and why."""

    version: int
    reason: str


class Recomputed(Struct, frozen=True):
    """How many draws the game took, and what is wrong with them."""

    draws: int
    unfair: Unfair | None


def recompute_draws(records: Iterable[Record | NewRecord]) -> Recomputed | None:
    """Takes one game's records from version 1, their chain verified. None: the seed is secret yet.

    Only what chance decided is checked, not whether the moves keep the rules.
    """
    events = [_event(record) for record in records]
    table = _folded(events)
    if table is None or table.seed is None:
        return None
    draws = 0 if table.game is None else table.game.draws
    seed = bytes.fromhex(table.seed)
    if commitment(seed) != table.seed_commitment:
        return Recomputed(draws, Unfair(table.version, "the seed is not the one committed to"))
    nonces = [member.nonce for member in table.members]
    return Recomputed(draws, _compare(events, Draws(draw_key(seed, table.game_id, nonces))))


def _compare(events: Sequence[AnyEvent], draws: Draws) -> Unfair | None:
    """The events are folded once more, each compared with what the draws make of it."""
    table = _folded(events[:1])
    assert table is not None
    for event in events[1:]:
        version, expected = table.version + 1, as_drawn(table, event, draws)
        if event != expected:
            return Unfair(version, f"the event says {event}, the seed {expected}")
        state.apply(table, event)
    return None


def _folded(events: Sequence[AnyEvent]) -> Table | None:
    if not events:
        return None
    created, *others = events
    assert isinstance(created, GameCreated)
    table = state.create(created)
    for event in others:
        state.apply(table, event)
    return table


def _event(record: Record | NewRecord) -> AnyEvent:
    envelope = read_envelope(record.text)
    return decode_event(envelope.type, envelope.schema_version, envelope.body)
