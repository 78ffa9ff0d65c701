"""The least an endpoint that stores something can do: one row, one commit."""

from __future__ import annotations

import psycopg
from flask import Flask, request
from psycopg_pool import ConnectionPool

from shared.config import Settings


def create_app() -> Flask:
    """`POST /` stores the body."""
    url = Settings.from_env().database_url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create table if not exists bare (id bigserial primary key, body text)")
    pool = ConnectionPool(url, min_size=1, max_size=16, open=False, kwargs={"autocommit": True})
    app = Flask(__name__)

    @app.post("/")
    def store() -> tuple[str, int]:
        pool.open()
        with pool.connection() as connection:
            connection.execute("insert into bare (body) values (%s)", [request.get_data(True)])
        return "{}", 201

    return app
