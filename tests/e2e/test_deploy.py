"""What `deploy/` says is what works: its start commands run, and a game is played through them."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import httpx
import pytest
import yaml

from services.stack.embedded import free_ports
from services.stack.process import Process, Program, stop_all
from shared import serving
from shared.config import Settings
from shared.http.problems import Problem

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PROGRAMS = Path(sys.executable).parent


def start_commands() -> dict[str, str]:
    lines = (DEPLOY / "Procfile").read_text().splitlines()
    return {name: command for name, _, command in (line.partition(": ") for line in lines)}


def example() -> dict[str, str]:
    lines = (DEPLOY / "env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def program(name: str, environment: dict[str, str], log: Path) -> Program:
    command = ["sh", "-c", f"exec {start_commands()[name]}"]
    return Program(name, command, env=environment, log=log / f"{name}.log")


@pytest.fixture
def environment(settings: Settings, tmp_path: Path) -> dict[str, str]:
    """The example, with the addresses of this test's servers and of free ports."""
    site, commands, queries = free_ports(3)
    (tmp_path / "metrics").mkdir()
    return (
        os.environ
        | example()
        | {
            "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
            "DATABASE_URL": settings.database_url,
            "REDIS_URL": settings.redis_url,
            "QUEUE_URL": settings.queue_url,
            "PUBLIC_URL": f"http://127.0.0.1:{site}",
            "SITE": f"http://127.0.0.1:{site}",
            "COMMANDS_BIND": f"127.0.0.1:{commands}",
            "COMMANDS_UPSTREAM": f"127.0.0.1:{commands}",
            "QUERIES_BIND": f"127.0.0.1:{queries}",
            "QUERIES_UPSTREAM": f"127.0.0.1:{queries}",
            "BOTS_URL": f"http://127.0.0.1:{site}",
            "BOTS_DATA": str(tmp_path),
            "WEB_CONCURRENCY": "1",
            "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "metrics"),
        }
    )


@pytest.fixture
def deployed(environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address of the proxy, when all services run."""
    subprocess.run([PROGRAMS / "puertorico", "migrate"], env=environment, check=True)
    services = [Process(program(name, environment, tmp_path)) for name in start_commands()]
    try:
        for service in services:
            service.start()
        wait_for(f"{environment['SITE']}/readyz", services)
        wait_for(f"http://{environment['COMMANDS_UPSTREAM']}/readyz", services)
        yield environment["SITE"]
    finally:
        stop_all(services)


def wait_for(url: str, services: list[Process]) -> None:
    deadline = time.monotonic() + 60
    while True:
        for service in services:
            log = service.program.log
            assert service.exit_code() is None, f"{service.name}: {log and log.read_text()}"
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, f"nothing answers at {url}"
        time.sleep(0.1)


def test_the_start_commands_run_the_services_and_a_game_is_played(deployed: str) -> None:
    """Meanwhile half a request waits for its other half, and is refused in the end."""
    host, port = deployed.removeprefix("http://").split(":")
    head = f"POST /v1/games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    with socket.create_connection((host, int(port)), timeout=30) as stalled:
        stalled.sendall(head.encode() + b"Content-Length: 10\r\n\r\n{")
        play_a_game(deployed)
        # By the service: of a connection that ends without a word the proxy makes an empty 200.
        assert stalled.recv(100).startswith(b"HTTP/1.1 408 ")


def play_a_game(deployed: str) -> None:
    played = subprocess.run(
        [PROGRAMS / "puertorico", "demo", "--url", deployed, "--players", "3", "--seed", "7"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert "The game is over" in played.stdout
    bots = httpx.get(f"{deployed}/v1/bots").json()["items"]
    assert {bot["name"] for bot in bots} == {"random", "greedy", "planner"}
    # Each method at its service: only the two together answer both.
    assert httpx.get(f"{deployed}/v1/me").json()["code"] == "unauthorized"
    assert httpx.post(f"{deployed}/v1/accounts", json={}).status_code == 422
    assert "POST" in httpx.options(f"{deployed}/v1/games").headers["Allow"]


def test_a_service_that_is_down_is_told_as_the_services_tell_it(
    environment: dict[str, str], tmp_path: Path
) -> None:
    proxy = Process(program("proxy", environment, tmp_path))
    try:
        proxy.start()
        for _ in range(100):
            with suppress(httpx.TransportError):
                answer = httpx.post(f"{environment['SITE']}/v1/games", json={})
                break
            time.sleep(0.1)
    finally:
        stop_all([proxy])
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert int(answer.headers["Retry-After"]) > 0
    document = answer.json()
    assert document == Problem("unavailable").document(document["request_id"])
    assert str(UUID(document["request_id"])) == document["request_id"]


def gauges(environment: dict[str, str]) -> set[str]:
    """Those of web workers, a file each, when both services have been asked for something."""
    for service in ("COMMANDS", "QUERIES"):
        wait_for(f"http://{environment[f'{service}_BIND']}/readyz", [])
    folder = Path(environment["PROMETHEUS_MULTIPROC_DIR"])
    return {file.name for file in folder.glob("gauge_live*")}


@pytest.mark.parametrize(
    ("killed", "kill"),
    [("commands", os.kill), ("queries", os.killpg)],
    ids=["its master", "with its worker"],
)
def test_the_gauges_of_a_killed_service_are_gone_when_it_is_back_and_no_others(
    killed: str, kill: Callable[[int, int], None], environment: dict[str, str], tmp_path: Path
) -> None:
    services = {
        name: Process(program(name, environment, tmp_path)) for name in ("commands", "queries")
    }
    try:
        for service in services.values():
            service.start()
        before = gauges(environment)
        assert len(before) == 2
        pid = services[killed].pid
        assert pid is not None
        kill(pid, signal.SIGKILL)
        services[killed].stop()
        services[killed].start()
        deadline = time.monotonic() + 30
        while len(after := gauges(environment)) != 2 or len(before & after) != 1:
            assert time.monotonic() < deadline, (before, after)
            time.sleep(0.2)
    finally:
        stop_all(list(services.values()))


def test_every_variable_that_is_used_stands_in_the_example() -> None:
    commands, caddy = (DEPLOY / "Procfile").read_text(), (DEPLOY / "Caddyfile").read_text()
    used = set(re.findall(r"\$([A-Z_]+)", commands)) | set(re.findall(r"\{\$([A-Z_]+)", caddy))
    settings = {name.upper() for name in Settings.__dataclass_fields__}
    assert used | settings <= set(example())


def test_compose_runs_the_same_commands() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name, command in start_commands().items():
        found = services[name]["command"]
        if isinstance(found, list):
            found = found[2].removeprefix("exec ").replace("$$", "$")
        assert shlex.split(found) == shlex.split(command), name


def copied() -> set[str]:
    """What the image is made of."""
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    return {source for line in lines if line.startswith("COPY ") for source in line.split()[1:-1]}


def is_copied(path: str) -> bool:
    return any(str(parent) in copied() for parent in [Path(path), *Path(path).parents])


def read_from_the_root(file: Path) -> set[str]:
    """What a module of ours names that lies beside `services` and `shared`."""
    text = file.read_text()
    named = set(re.findall(r'/ "([^"]+)"', text)) if ".parents[" in text else set()
    return {name for name in named if (ROOT / name).exists()}


def test_the_image_has_what_the_code_reads_from_the_root() -> None:
    files = [file for name in ("services", "shared") for file in (ROOT / name).rglob("*.py")]
    read = set().union(*map(read_from_the_root, files))
    assert {"docs", "openapi.yaml"} <= read
    assert [path for path in read if not is_copied(path)] == []


def test_the_image_has_what_its_pages_link_to() -> None:
    texts = [page.read_text() for page in (ROOT / "docs").glob("*.md")]
    links = {link for text in texts for link in re.findall(r"\]\(\.\./([\w./-]+)", text)}
    assert links
    assert [link for link in links if not is_copied(link)] == []


def test_the_build_is_given_what_it_copies_and_no_data_or_passwords() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    assert {line[1:] for line in lines if line.startswith("!")} == copied()


def test_the_image_and_the_example_have_the_metrics_in_one_folder() -> None:
    folder = example()["PROMETHEUS_MULTIPROC_DIR"]
    assert f"ENV PROMETHEUS_MULTIPROC_DIR={folder}\n" in (DEPLOY / "Dockerfile").read_text()


def test_the_proxy_gives_a_connection_up_before_the_service_does() -> None:
    (seconds,) = re.findall(r"keepalive (\d+)s", (DEPLOY / "Caddyfile").read_text())
    assert int(seconds) < serving.keepalive
