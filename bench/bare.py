"""The least that a service can do: one row stored, one key read. What ours is measured against.

And what of a move is the store's part: its records appended, and nothing else done.
"""

from __future__ import annotations

from uuid import UUID

import redis
from flask import Flask, Response, request
from psycopg_pool import ConnectionPool

from shared.config import Settings
from shared.eventstore.records import part_of
from shared.eventstore.store import APPEND

TABLE = "create table if not exists bare (id bigserial primary key, body text)"


def create_app() -> Flask:
    """`POST /` stores the body, `GET /` answers what the key `bare` holds.

    `POST /append` takes what an append says, a line each, and the records.
    """
    settings = Settings.from_env()
    pool = ConnectionPool(
        settings.database_url, min_size=1, max_size=16, open=False, kwargs={"autocommit": True}
    )
    cache = redis.Redis.from_url(settings.redis_url)
    app = Flask(__name__)

    @app.post("/")
    def store() -> Response:
        pool.open()
        with pool.connection() as connection:
            connection.execute("insert into bare (body) values (%s)", [request.get_data(True)])
        return Response("{}", 201, content_type="application/json")

    @app.post("/append")
    def append() -> Response:
        game, version, head, command, records = request.get_data(as_text=True).split("\n", 4)
        game_id = UUID(game)
        position = (part_of(game_id), game_id, int(version), bytes.fromhex(head))
        call = (*position, bytes.fromhex(command), records, None, *[None] * 5)
        pool.open()
        with pool.connection() as connection:
            connection.execute(APPEND, call)
        return Response("{}", 201, content_type="application/json")

    @app.get("/")
    def show() -> Response:
        return Response(cache.get("bare"), content_type="application/json")

    return app
