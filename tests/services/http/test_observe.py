"""Request ids, log lines, metrics, health, and documentation."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from shared.config import Settings
from tests.services.conftest import PASSWORD, register


def test_a_sane_request_id_is_kept_and_echoed(queries: FlaskClient) -> None:
    answer = queries.get("/healthz", headers={"X-Request-Id": "Client-7.a_b"})
    assert answer.headers["X-Request-Id"] == "Client-7.a_b"
    made = {queries.get("/healthz").headers["X-Request-Id"] for _ in range(3)}
    assert len(made) == 3


def test_each_request_is_one_log_line_without_secrets(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    with capture_logs() as logs:
        ana = register(commands)
        commands.post("/v1/tokens", json={"name": "Ana", "password": PASSWORD})
        me = queries.get("/v1/me?x=1", headers=ana).get_json()
        queries.get("/v1/me", headers=ana)
    requests = [entry for entry in logs if entry["event"] == "request"]
    assert [entry["status"] for entry in requests] == [201, 201, 200, 200]
    assert requests[3]["route"] == requests[3]["path"] == "/v1/me"
    assert requests[3]["account_id"] == me["id"]
    everything = str(logs)
    assert PASSWORD not in everything
    assert "pr_" not in everything


def test_a_request_id_leads_from_the_client_to_its_log_line_and_its_events(
    commands: FlaskClient, ana: dict[str, str], settings: Settings
) -> None:
    with capture_logs() as logs:
        answer = commands.post("/v1/games", json={}, headers={**ana, "X-Request-Id": "from-ana"})
    assert answer.headers["X-Request-Id"] == "from-ana"
    assert [entry["event"] for entry in logs if entry.get("request_id") == "from-ana"] == [
        "request"
    ]
    with psycopg.connect(settings.database_url) as connection:
        found = connection.execute(
            "select distinct game_id::text from es.events where private->>'request_id' = 'from-ana'"
        ).fetchall()
    assert found == [(answer.json["id"],)]  # type: ignore[index]


def test_logs_of_all_libraries_are_json_lines_on_standard_error() -> None:
    program = (
        "import logging, structlog; from shared import logs; logs.configure('INFO');"
        "logs.configure('INFO'); logging.getLogger('other').warning('from %s', 'them');"
        "structlog.get_logger('own').info('from us', number=7)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    theirs, ours = (json.loads(line) for line in done.stderr.splitlines())
    assert (theirs["event"], theirs["logger"], theirs["level"]) == ("from them", "other", "warning")
    assert (ours["event"], ours["logger"], ours["number"]) == ("from us", "own", 7)


def test_a_log_that_cannot_be_written_is_no_fault_of_the_request(
    queries: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path("/dev/full").open("w", buffering=1) as full:
        monkeypatch.setattr("sys.stderr", full)
        assert queries.get("/healthz").status_code == 200
        with suppress(OSError):
            full.close()


def test_metrics_count_requests_by_route_not_by_path(queries: FlaskClient) -> None:
    before = counted(queries)
    for code in ("stale", "invalid"):
        queries.get(f"/problems/{code}")
    assert counted(queries) == before + 2


def counted(queries: FlaskClient) -> float:
    text = queries.get("/metrics").text
    found = re.search(
        r'puertorico_http_requests_total\{method="GET",route="/problems/<code>",'
        r'service="queries",status="200"\} (\S+)',
        text,
    )
    return float(found[1]) if found else 0


def test_metrics_tell_of_the_pool_and_of_appends(
    commands: FlaskClient, ana: dict[str, str]
) -> None:
    commands.post("/v1/games", json={}, headers=ana)
    text = commands.get("/metrics").text
    assert 'puertorico_append_seconds_count{result="stored"}' in text
    assert re.search(r'pool_connections\{service="commands",state="open"\} [1-9]', text)


def test_a_service_is_ready_when_postgres_answers(
    commands: FlaskClient, queries: FlaskClient
) -> None:
    for client in (commands, queries):
        assert client.get("/healthz").get_json() == {"status": "ok"}
        ready = client.get("/readyz")
        assert (ready.status_code, ready.get_json()["checks"]) == (
            200,
            {"postgres": "ok", "redis": "ok"},
        )


def test_the_docs_load_nothing_from_elsewhere(queries: FlaskClient) -> None:
    page = queries.get("/docs")
    assert queries.get("/").headers["Location"] == "/docs"
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(links) == 4
    for link in links:
        asset = queries.get(link)
        assert asset.status_code == 200, link
        asset.close()
    assert "<script>" not in page.text
    page.close()
