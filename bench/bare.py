"""The least that a service can do: one row stored, one key read. What ours is measured against."""

from __future__ import annotations

import redis
from flask import Flask, Response, request
from psycopg_pool import ConnectionPool

from shared.config import Settings

TABLE = "create table if not exists bare (id bigserial primary key, body text)"


def create_app() -> Flask:
    """`POST /` stores the body, `GET /` answers what the key `bare` holds."""
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

    @app.get("/")
    def show() -> Response:
        return Response(cache.get("bare"), content_type="application/json")

    return app
