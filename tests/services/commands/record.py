"""Records the answers that the specification shows: `python -m tests.services.commands.record`."""

from __future__ import annotations

import json

from flask.testing import FlaskClient

from services.commands.analysis_schemas import APPLY, LEGAL_MOVES
from services.commands.app import create_app
from services.commands.examples import FILE
from shared.config import Settings
from tests import servers
from tests.services.commands.conftest import Document, Headers, Running, ok, open_game, post
from tests.services.conftest import PASSWORD, closing, register, register_bot

ANALYSIS = "/v1/analysis"
ROLES, SALE = LEGAL_MOVES["roles"]["value"], APPLY["sale"]["value"]


def answers(client: FlaskClient) -> dict[str, Document]:
    """Play the beginning of a game; its answers by operation."""
    ana, bob, cid = (register(client, name) for name in ("Ana", "Bob", "Cid"))
    found = {
        "create_game": open_game(
            client, ana, visibility="private", options={"seating": "as_joined"}, nonce="c0ffee"
        )
    }
    path = f"/v1/games/{found['create_game']['id']}"
    code = {"code": found["create_game"]["invitation_code"]}
    ok(post(client, bob, f"{path}/players", code))
    found["join_game"] = ok(post(client, cid, f"{path}/players", code))
    found["leave_game"] = ok(client.delete(f"{path}/players/me", headers=cid))
    ok(post(client, cid, f"{path}/players", code))
    bot = register_bot(client, "greedy", accepts_seats=True)["account"]["id"]
    ok(post(client, ana, f"{path}/players", {"bot": bot}))
    found["take_bot_out"] = ok(client.delete(f"{path}/players/{bot}", headers=ana))
    started = ok(post(client, ana, f"{path}/start"))
    table = Running(client, path, [ana, bob, cid], started["state"])
    builder: Document = {"type": "choose_role", "role": "builder"}
    found["preview_move"] = table.preview(0, builder)
    found["make_move"] = table.play(0, **builder)
    found["substitute"] = ok(post(client, cid, f"{path}/substitute", {"bot": bot}))
    found["abort_game"] = ok(post(client, ana, f"{path}/abort"))
    found["analyse_legal_moves"] = ok(post(client, {}, f"{ANALYSIS}/legal-moves", ROLES))
    found["analyse_apply"] = ok(post(client, {}, f"{ANALYSIS}/apply", SALE))
    return {"start_game": started, **found, **account_answers(client)}


def account_answers(client: FlaskClient) -> dict[str, Document]:
    """Come, log in, make a token, change the name: as the examples of these requests say."""

    def send(method: str, path: str, body: Document, who: Headers | None = None) -> Document:
        return ok(client.open(path, method=method, json=body, headers=who or {}))

    wish = {"name": "Dora", "password": PASSWORD}
    registered = send("POST", "/v1/accounts", wish)
    dora = {"Authorization": f"Bearer {registered['token']}"}
    terms = {"label": "a bot", "scopes": ["games:read", "games:play"], "expires_in_days": 30}
    return {
        "register": registered,
        "log_in": send("POST", "/v1/tokens", {**wish, "label": "phone"}),
        "create_token": send("POST", "/v1/me/tokens", terms, dora),
        "change_account": send("PATCH", "/v1/me", {"name": "Dorothea"}, dora),
    }


def main() -> None:
    with servers.test_run():
        own = servers.servers(None)
        settings = Settings(own.database_url, own.redis_url, own.redis_url)
        with closing(create_app(settings)) as client:
            FILE.write_text(json.dumps(answers(client), indent=1) + "\n")


if __name__ == "__main__":
    main()
