"""One change of a game: decided on a state, appended if the game still stands there, and answered.

The state is this process's own copy, so that a move costs one call of the database. If the copy
was behind, the append is refused, or the decision was a refusal: then the tail is folded and the
decision made again. A conflict is final only for a request with If-Match, a refusal only at the
head.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from hmac import compare_digest
from uuid import UUID

from flask import Response
from msgspec import UNSET

from services.commands.answers import change_answer
from services.commands.desk import desk
from services.commands.games import Snapshot
from shared.engine import RuleViolation
from shared.eventstore.fold import fold
from shared.eventstore.records import (
    NO_HASH,
    Cause,
    NewEvent,
    NewRecord,
    Origin,
    Record,
    build_records,
    part_of,
)
from shared.eventstore.store import Appended, HashConflict, VersionConflict
from shared.http.auth import caller
from shared.http.idempotency import intent
from shared.http.observe import request_id
from shared.http.problems import Problem
from shared.http.refusals import refusal
from shared.http.resources import resources
from shared.http.versions import wanted_versions
from shared.table.decide import AnyEvent
from shared.table.errors import TableRefusal
from shared.table.state import Table
from shared.wire.events import encode_event

Decide = Callable[[Snapshot, str], Sequence[AnyEvent]]
"""What this account makes of the game, or why not: a Problem, TableRefusal or RuleViolation."""

_ATTEMPTS = 20
"""Each lost one means that somebody else's change was stored, so even two are rare."""


def change(
    game_id: UUID, decide: Decide, *, status: int = 201, code: str | None = None
) -> Response:
    """Decide, append and answer; again on a newer state as long as the game moves on meanwhile.

    An invitation's code opens a private game to whoever is no member yet.
    """
    wanted, games, account = wanted_versions(), desk().games, str(caller().account_id)
    snapshot = games.recall(game_id)
    for _ in range(_ATTEMPTS):
        try:
            require_visible(snapshot, account, code)
            _require(wanted, snapshot)
            return _append(snapshot, decide(snapshot, account), status)
        except (VersionConflict, HashConflict):
            snapshot = games.refresh(snapshot)
        except (Problem, RuleViolation, TableRefusal) as refused:
            newer = games.refresh(snapshot)
            if newer is snapshot:
                raise problem_of(refused, snapshot) from refused
            snapshot = newer
    raise Problem("unavailable", headers={"Retry-After": "1"})


def store_new(
    game_id: UUID, events: Sequence[AnyEvent], seed: bytes, invitation_code: str | None
) -> Response:
    """Store and answer a game's first events."""
    records = _new_records(events, game_id, None)
    table = fold(records)
    assert table is not None
    answer = change_answer(table, records, None, 201, invitation_code or UNSET)
    answer.headers["Location"] = f"/v1/games/{game_id}"
    resources().store.create_game(
        game_id,
        intent().command_id,
        records,
        seed,
        invitation_code=invitation_code,
        private=_aside(),
        request=intent().stored(answer),
    )
    _spread(Snapshot(table, seed))
    return answer


def require_visible(known: Snapshot, account: str, code: str | None = None) -> None:
    """Refuse whoever may not see a private game, as if there were no such game."""
    if not known.table.may_be_seen_by(account) and not _opens(code, UUID(known.table.game_id)):
        raise Problem("not_found")


def problem_of(refused: Problem | RuleViolation | TableRefusal, judged_by: Snapshot) -> Problem:
    """Name the version in a refusal by the rules; a problem says already what it may say."""
    if isinstance(refused, Problem):
        return refused
    return refusal(refused, judged_by.table.version)


def _new_records(
    events: Sequence[AnyEvent], game_id: UUID, before: Table | None
) -> list[NewRecord]:
    """Write down what the caller makes happen, as the game's next records or its first."""
    previous = None if before is None else datetime.fromisoformat(before.updated_at)
    origin = Origin(
        game_id=game_id,
        command_id=intent().command_id,
        time=resources().store.time(previous),
        actor=caller().account_id,
        cause=Cause.BOT if caller().kind == "bot" else Cause.MOVE,
    )
    new_events = [NewEvent(*encode_event(event)) for event in events]
    if before is None:
        return build_records(new_events, origin, 0, NO_HASH)
    return build_records(new_events, origin, before.version, bytes.fromhex(before.head_hash))


def _aside() -> dict[str, str]:
    """What is stored beside the records and is never public: where they came from."""
    return {"request_id": request_id(), "token_id": str(caller().token_id)}


def _opens(code: str | None, game_id: UUID) -> bool:
    if code is None:
        return False
    invitation = resources().store.invitation(game_id)
    return invitation is not None and compare_digest(code.encode(), invitation.encode())


def _require(wanted: frozenset[int] | None, snapshot: Snapshot) -> None:
    version = snapshot.table.version
    if wanted is not None and version not in wanted:
        raise Problem("stale", f"The game is at version {version}.", game_version=version)


def _append(snapshot: Snapshot, events: Sequence[AnyEvent], status: int) -> Response:
    """Store the events with the answer that reports them."""
    table, game_id = snapshot.table, UUID(snapshot.table.game_id)
    records = _new_records(events, game_id, table)
    after = snapshot.then(records)
    answer = _answer(after.table, records, status)
    appended = resources().store.append(
        game_id,
        table.version,
        bytes.fromhex(table.head_hash),
        intent().command_id,
        records,
        private=_aside(),
        request=intent().stored(answer),
    )
    if appended.replayed:
        return intent().replay() or _retold(game_id, appended, status)
    _spread(after)
    return answer


def _spread(stored: Snapshot) -> None:
    desk().games.keep(stored)
    desk().waker.wake(part_of(UUID(stored.table.game_id)))
    desk().forgetting.remind()


def _retold(game_id: UUID, appended: Appended, status: int) -> Response:
    """Answer from the log for a key so old that its answer is forgotten."""
    records = resources().store.read(game_id, limit=appended.last_version)
    table = fold(records)
    assert table is not None
    return _answer(table, records[appended.first_version - 1 :], status)


def _answer(table: Table, records: Sequence[Record | NewRecord], status: int) -> Response:
    return change_answer(table, records, table.seat_of(str(caller().account_id)), status)
