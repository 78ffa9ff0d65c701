"""Whether a service lives, whether it can answer, and its metrics."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from psycopg import OperationalError
from redis import RedisError

from shared.http.resources import resources
from shared.metrics import registry

health = Blueprint("health", __name__)


@health.get("/healthz")
def healthz() -> Response:
    """Say that the process answers; asks nobody else, since a restart would not mend others."""
    return jsonify(status="ok")


@health.get("/readyz")
def readyz() -> tuple[Response, int]:
    """Say whether requests can be answered: Postgres is needed, without Redis it is only slower."""
    checks = {"postgres": _postgres_answers(), "redis": _redis_answers()}
    words = {name: "ok" if answers else "down" for name, answers in checks.items()}
    if checks["postgres"]:
        return jsonify(status="ready", checks=words), 200
    return jsonify(status="unavailable", checks=words), 503


@health.get("/metrics")
def metrics() -> Response:
    """Sum over all worker processes if they share a folder, else show this process."""
    return Response(generate_latest(registry()), content_type=CONTENT_TYPE_LATEST)


def _postgres_answers() -> bool:
    try:
        with resources().pool.connection() as connection:
            connection.execute("select 1")
    except OperationalError:
        return False
    return True


def _redis_answers() -> bool:
    try:
        return bool(resources().redis.ping())
    except RedisError:
        return False
