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

from msgspec import UNSET, Struct

from services.commands.answers import change_answer
from services.commands.forgetting import Forgetting
from services.commands.games import Games, Snapshot
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
    time_after,
)
from shared.eventstore.store import Appended, EventStore, HashConflict, VersionConflict
from shared.http.answer import Answer
from shared.http.idempotency import Intent, replayed
from shared.http.problems import Problem
from shared.http.refusals import refusal
from shared.http.tokens import Account
from shared.readmodel.wake import Waker
from shared.table.decide import AnyEvent
from shared.table.errors import TableRefusal
from shared.table.state import Table
from shared.wire.events import encode_event

Decide = Callable[[Snapshot, str], Sequence[AnyEvent]]
"""What this account makes of the game, or why not: a Problem, TableRefusal or RuleViolation."""

_ATTEMPTS = 20
"""Each lost one means that somebody else's change was stored, so even two are rare."""


class Request(Struct, frozen=True):
    """Who wants a change, by which request, and at which versions of the game only."""

    account: Account
    intent: Intent
    request_id: str
    wanted: frozenset[int] | None = None

    @property
    def sender(self) -> str:
        """Its account as tables name it."""
        return str(self.account.account_id)

    @property
    def aside(self) -> dict[str, str]:
        """What is stored beside the records and is never public: where they came from."""
        found = {"request_id": self.request_id, "token_id": str(self.account.token_id)}
        if self.intent.key is not None:
            found["request_hash"] = self.intent.request_hash.hex()
        return found


class Changes(Struct, frozen=True):
    """Makes changes, and tells all who must know of what was stored."""

    store: EventStore
    games: Games
    waker: Waker
    forgetting: Forgetting

    def change(
        self,
        request: Request,
        game_id: UUID,
        decide: Decide,
        *,
        status: int = 201,
        code: str | None = None,
    ) -> Answer:
        """Decide, append and answer; again on a newer state as long as the game moves on meanwhile.

        An invitation's code opens a private game to whoever is no member yet.
        """
        snapshot = self.games.recall(game_id)
        for _ in range(_ATTEMPTS):
            try:
                self._require_visible(snapshot, request.sender, code)
                _require(request.wanted, snapshot)
                return self._append(request, snapshot, decide(snapshot, request.sender), status)
            except (VersionConflict, HashConflict):
                snapshot = self.games.refresh(snapshot)
            except (Problem, RuleViolation, TableRefusal) as refused:
                newer = self.games.refresh(snapshot)
                if newer is snapshot:
                    raise problem_of(refused, snapshot) from refused
                snapshot = newer
        raise Problem("unavailable", headers={"Retry-After": "1"})

    def store_new(
        self,
        request: Request,
        game_id: UUID,
        events: Sequence[AnyEvent],
        seed: bytes,
        invitation_code: str | None,
    ) -> Answer:
        """Store and answer a game's first events."""
        records = self._records(request, events, game_id, None)
        table = fold(records)
        assert table is not None
        answer = change_answer(table, records, None, 201, invitation_code or UNSET)
        answer.headers["Location"] = f"/v1/games/{game_id}"
        self.store.create_game(
            game_id,
            request.intent.command_id,
            records,
            seed,
            invitation_code=invitation_code,
            private=request.aside,
            request=request.intent.stored(answer),
        )
        self._spread(Snapshot(table, seed))
        return answer

    def _require_visible(self, known: Snapshot, account: str, code: str | None) -> None:
        if known.table.may_be_seen_by(account):
            return
        if code is None or not self._opens(code, UUID(known.table.game_id)):
            raise Problem("not_found")

    def _opens(self, code: str, game_id: UUID) -> bool:
        invitation = self.store.invitation(game_id)
        return invitation is not None and compare_digest(code.encode(), invitation.encode())

    def _append(
        self, request: Request, snapshot: Snapshot, events: Sequence[AnyEvent], status: int
    ) -> Answer:
        """Store the events with the answer that reports them."""
        table, game_id = snapshot.table, UUID(snapshot.table.game_id)
        records = self._records(request, events, game_id, table)
        after = snapshot.then(records)
        answer = _answer(request, after.table, records, status)
        appended = self.store.append(
            game_id,
            table.version,
            bytes.fromhex(table.head_hash),
            request.intent.command_id,
            records,
            private=request.aside,
            request=request.intent.stored(answer),
        )
        if appended.replayed:
            return request.intent.replay(self.store) or self._retold(
                request, game_id, appended, status
            )
        self._spread(after)
        return answer

    def _records(
        self, request: Request, events: Sequence[AnyEvent], game_id: UUID, before: Table | None
    ) -> list[NewRecord]:
        """Write down what the request makes happen, as the game's next records or its first."""
        previous = None if before is None else datetime.fromisoformat(before.updated_at)
        origin = Origin(
            game_id=game_id,
            command_id=request.intent.command_id,
            time=time_after(previous),
            actor=request.account.account_id,
            cause=Cause.BOT if request.account.kind == "bot" else Cause.MOVE,
        )
        new_events = [NewEvent(*encode_event(event)) for event in events]
        if before is None:
            return build_records(new_events, origin, 0, NO_HASH)
        return build_records(new_events, origin, before.version, bytes.fromhex(before.head_hash))

    def _spread(self, stored: Snapshot) -> None:
        self.games.keep(stored)
        self.waker.wake(part_of(UUID(stored.table.game_id)))
        self.forgetting.remind()

    def _retold(self, request: Request, game_id: UUID, appended: Appended, status: int) -> Answer:
        """Answer from the log for a key so old that its answer is forgotten.

        The key of another request is refused now as it was before.
        """
        own = request.intent.request_hash.hex()
        aside = self.store.private(game_id, appended.first_version)
        if aside.get("request_hash", own) != own:  # the oldest have none
            raise Problem("idempotency_key_reused")
        records = self.store.read(game_id, limit=appended.last_version)
        table = fold(records)
        assert table is not None
        answer = _answer(request, table, records[appended.first_version - 1 :], status)
        return replayed(answer)


def require_visible(known: Snapshot, account: str) -> None:
    """Refuse whoever may not see a private game, as if there were no such game."""
    if not known.table.may_be_seen_by(account):
        raise Problem("not_found")


def problem_of(refused: Problem | RuleViolation | TableRefusal, judged_by: Snapshot) -> Problem:
    """Name the version in a refusal by the rules; a problem says already what it may say."""
    if isinstance(refused, Problem):
        return refused
    return refusal(refused, judged_by.table.version)


def _require(wanted: frozenset[int] | None, snapshot: Snapshot) -> None:
    version = snapshot.table.version
    if wanted is not None and version not in wanted:
        raise Problem("stale", f"The game is at version {version}.", game_version=version)


def _answer(
    request: Request, table: Table, records: Sequence[Record | NewRecord], status: int
) -> Answer:
    return change_answer(table, records, table.seat_of(request.sender), status)
