"""Answers kept for retries are forgotten after two days, and no sooner."""

import time
from typing import LiteralString

import psycopg
from flask.testing import FlaskClient

from shared.ids import uuid7
from tests.services.commands.conftest import Headers, post

OLD: LiteralString = """
    insert into es.requests (account_id, key, request_hash, status, answer, created_at)
    values (%s, 'old', %s, 201, '', now() - interval '3 days')"""
KEYS: LiteralString = "select key from es.requests"


def test_a_change_lets_old_answers_be_forgotten_and_recent_ones_stay(
    commands: FlaskClient, ana: Headers, postgres_url: str
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(OLD, (uuid7(), bytes(32)))

        post(commands, ana, "/v1/games", {}, Idempotency_Key="recent")

        end = time.monotonic() + 10
        while ("old",) in (kept := connection.execute(KEYS).fetchall()):
            assert time.monotonic() < end
            time.sleep(0.05)
    assert kept == [("recent",)]
