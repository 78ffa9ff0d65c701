"""Traces: a request and what it brings about are one story; without a wish there is none."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from services.automation.client import register
from shared.config import Settings
from shared.tracing import are_wanted, traces
from tests.stack.collector import Collector, Told, collecting
from tests.stack.running import clean_environment, up


@pytest.mark.parametrize(
    ("env", "wanted"),
    [
        ({}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_the_usual_variables_switch_traces_on(env: dict[str, str], wanted: bool) -> None:
    assert are_wanted(env) is wanted


def test_without_a_wish_nothing_of_it_is_imported(settings: Settings) -> None:
    program = (
        "import sys; import services.projector.worker;"
        "from services.stack.app import create_app; create_app();"
        "print('shared.otel' in sys.modules,"
        " *(name for name in sys.modules if name.startswith('opentelemetry.instrumentation')))"
    )
    env = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=clean_environment() | env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"


def test_who_wishes_for_traces_without_the_extra_is_told_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    monkeypatch.setitem(sys.modules, "shared.otel", None)  # as if it could not be imported
    with pytest.raises(RuntimeError, match=r"`make setup` .* LOCK=requirements\.lock"):
        traces.__wrapped__()


def test_a_request_and_its_projection_are_one_trace(settings: Settings, tmp_path: Path) -> None:
    with collecting() as collector:
        env = {
            "DATABASE_URL": settings.database_url,
            "REDIS_URL": settings.redis_url,
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }
        with up(tmp_path / "data", env) as stack:
            ana, _ = register(stack.address, "Ana", "correct horse battery")
            headers = {"Authorization": f"Bearer {ana.token}", "X-Request-Id": "from-ana"}
            answer = httpx.post(f"{stack.address}/v1/games", json={}, headers=headers)
            assert answer.status_code == 201
            ana.close()
            drained = awaited(collector, "drain")
            created = awaited(collector, "POST /v1/games")
    assert created.attributes["puertorico.request_id"] == "from-ana"
    assert (drained.trace, drained.parent) == (created.trace, created.span)
    below = {told.name for told in collector.told if told.parent == created.span}
    assert any(name.startswith("select") for name in below), below
    assert all(told.parent or not told.name.startswith("select") for told in collector.told)
    assert "correct horse battery" not in str(collector.told)
    assert str(ana.token) not in str(collector.told)


def awaited(collector: Collector, name: str) -> Told:
    deadline = time.monotonic() + 30
    while not (found := collector.named(name)):
        assert time.monotonic() < deadline, {told.name for told in collector.told}
        time.sleep(0.05)
    return found[0]
