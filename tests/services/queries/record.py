"""Records the answers that the specification shows: `python -m tests.services.queries.record`."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from uuid import UUID

from flask.testing import FlaskClient

from services.projector.wiring import wire
from services.queries.app import create_app
from services.queries.examples import FILE
from shared.config import Settings
from shared.eventstore.pool import Role
from shared.eventstore.store import EventStore
from shared.http.tokens import SCOPES, Token
from tests import servers
from tests.eventstore.conftest import opened
from tests.services.conftest import closing
from tests.services.projector.games import drain_all
from tests.services.queries.conftest import Archive, Document, get, ok
from tests.tables import Play

GAME = UUID("01a22bad-5829-7219-b17b-4f162cc8e66d")
PLAYERS = [UUID(f"01a22bac-0000-7000-8000-00000000000{number}") for number in (1, 2, 3)]
BOT = UUID("01a22bac-0000-7000-8000-000000000009")
TOKEN = UUID("01a22bac-0000-7000-8000-00000000000a")


def answers(
    client: FlaskClient, archive: Archive, project: Callable[[], None]
) -> dict[str, Document]:
    """Play the beginning of a game, always the same; its answers by operation."""
    play = Play(PLAYERS, visibility="private", rng=random.Random(7), game_id=GAME).start().moves(9)
    play.store(archive.store, invitation_code="MvVr4DPB9zj3nDkC")
    public = Play(PLAYERS, rng=random.Random(7), game_id=UUID(int=GAME.int + 1))
    public.store(archive.store)
    project()
    assert play.table.game is not None
    who = sign_in(archive, UUID(play.table.seats[play.table.game.awaiting[0].seat]))
    path = f"/v1/games/{GAME}"
    paths = {
        "get_game": path,
        "list_legal_moves": f"{path}/legal-moves",
        "list_events": f"{path}/events?after=3&limit=2",
        "get_invitation": f"{path}/invitation",
        "list_games": "/v1/games?status=open",
        "list_my_games": "/v1/me/games?status=running",
        "list_my_turns": "/v1/me/turns",
        "get_rules": "/v1/rules",
        "get_me": "/v1/me",
        "list_tokens": "/v1/me/tokens",
        "list_accounts": f"/v1/accounts?ids={PLAYERS[0]},{PLAYERS[1]}",
        "list_bots": "/v1/bots",
    }
    found = {operation: ok(get(client, asked, who)) for operation, asked in paths.items()}
    found["get_rules"] = shortened(found["get_rules"])
    return found


def sign_in(archive: Archive, player: UUID) -> dict[str, str]:
    """Give everybody a name, and this player a token."""
    token = Token.of("pr_" + "x" * 43)
    with archive.pool.connection() as connection:
        for account, name in zip(PLAYERS, ("Ana", "Bob", "Cid"), strict=True):
            connection.execute(
                "insert into accounts (account_id, name) values (%s, %s)", (account, name)
            )
        connection.execute(
            "insert into accounts (account_id, name, kind, strategy, accepts_seats)"
            " values (%s, 'greedy', 'bot', 'Takes what is worth most now.', true)",
            (BOT,),
        )
        connection.execute(
            "insert into tokens (token_id, account_id, token_hash, label, scopes, created_at)"
            " values (%s, %s, %s, 'phone', %s, '2030-01-01T12:00:00Z')",
            (TOKEN, player, token.digest, list(SCOPES)),
        )
    return {"Authorization": f"Bearer {token.secret}"}


def shortened(document: Document) -> Document:
    """Leave two items of each long list: the whole would fill the page."""
    return {key: value[:2] if isinstance(value, list) else value for key, value in document.items()}


def main() -> None:
    with servers.test_run():
        own = servers.servers(None)
        settings = Settings(own.database_url, own.redis_url, own.redis_url)
        wiring = wire(settings)
        with (
            opened(own.database_url, Role.COMMANDS) as pool,
            closing(create_app(settings)) as client,
        ):
            archive = Archive(pool, EventStore(pool))
            found = answers(client, archive, lambda: drain_all(wiring))
        wiring.pool.close()
        FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
