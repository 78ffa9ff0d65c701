"""The `puertorico` command as who mistypes it sees it: a usage line or one sentence."""

from __future__ import annotations

import socket
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from services.stack.cli import COMMANDS, main
from tests.stack.running import puertorico

GAME = "01890000-0000-7000-8000-000000000000"


def usage_error(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    usage, *_, said = capsys.readouterr().err.splitlines()
    assert usage.startswith(f"usage: puertorico {arguments[0]} ")
    return said


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    return sentence.removeprefix("puertorico: ")


@pytest.mark.parametrize("command", ["verify", "record", "bot planner", "refold"])
def test_what_is_no_id_of_a_game_is_a_usage_error(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "invalid UUID value: 'zzz'" in usage_error(capsys, *command.split(), "zzz")


@pytest.mark.parametrize("head", ["abc", "g" * 64, "0" * 65])
def test_what_is_no_hash_is_a_usage_error(head: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = usage_error(capsys, "verify", GAME, "--head", head)
    assert said.endswith("--head: it is 64 hexadecimal digits")


@pytest.mark.parametrize("number", ["-1", "1.5", "many"])
def test_bots_are_counted_from_none_up(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert usage_error(capsys, "up", "--bots", number).endswith("it is a number, 0 or more")


@pytest.mark.parametrize("seconds", ["-1", "nan", "1e9", "long"])
def test_a_bots_pause_is_of_this_world(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = usage_error(capsys, "bot", "greedy", GAME, "--pause", seconds)
    assert said.endswith("--pause: it is 0 to 3600 seconds")


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "http://", "http://127.0.0.1:port", ""])
@pytest.mark.parametrize("command", ["verify " + GAME, "record " + GAME, "bot greedy " + GAME])
def test_what_is_no_address_is_a_usage_error(
    command: str, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "is no address" in usage_error(capsys, *command.split(), "--url", url)


@pytest.mark.parametrize("command", ["demo", "bot greedy " + GAME])
def test_an_address_without_a_scheme_means_http(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(capsys, *command.split(), "--url", "127.0.0.1:9/")
    assert said.startswith("nothing answers at http://127.0.0.1:9 (")


def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere, binary = tmp_path / "nowhere", tmp_path / "binary"
    binary.write_bytes(b"\xff")
    said = refusal(capsys, "replay", str(nowhere))
    assert said == f"{nowhere} cannot be read: No such file or directory"
    assert refusal(capsys, "replay", str(binary)) == f"{binary} is no text in UTF-8"


def test_it_tells_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"puertorico {version('puertorico')}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_begins_with_how_it_is_called(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert capsys.readouterr().out.startswith(f"usage: puertorico {command} ")


@pytest.mark.parametrize(
    ("env", "said"),
    [
        (
            {"DATABASE_URL": "foo", "REDIS_URL": "redis://x"},
            'DATABASE_URL cannot be used: missing "=" after "foo"',
        ),
        ({"DATABASE_URL": "host=x", "REDIS_URL": "bar"}, "REDIS_URL cannot be used: Redis URL"),
        ({"DATABASE_URL": "host=x"}, "No stack runs on the data directory {}. Nor is REDIS_URL"),
        ({}, "No stack runs on the data directory {}. Nor is DATABASE_URL or REDIS_URL set."),
    ],
)
def test_a_setting_that_is_missing_or_no_address_is_named(
    env: dict[str, str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "QUEUE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    for command in ("doctor", "rebuild", "refold"):
        assert refusal(capsys, command, "--data", str(tmp_path)).startswith(said.format(tmp_path))


@pytest.mark.parametrize("command", ["verify", "record"])
def test_a_command_that_only_reads_soon_tells_that_nothing_answers(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    said = refusal(capsys, command, GAME, "--url", "127.0.0.1:9")
    assert said.startswith("nothing answers at http://127.0.0.1:9")
    assert time.monotonic() - began < 8


def test_a_doctor_who_knows_nothing_but_the_api_says_so(tmp_path: Path) -> None:
    done = puertorico("doctor", "--url", "127.0.0.1:9", "--data", str(tmp_path))
    assert done.returncode == 1
    query, command, rest, *_ = done.stdout.splitlines()
    assert "the query service at http://127.0.0.1:9" in query
    assert "the command service" in command
    assert rest.startswith("BAD  Nothing but the API was looked at. No stack runs on")
    assert done.stderr == ""


def test_servers_that_accept_and_say_nothing_are_found_in_time_and_nothing_else_is_said(
    tmp_path: Path,
) -> None:
    """As a frozen one is: its kernel still takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port, began = silent.getsockname()[1], time.monotonic()
        own = {
            "DATABASE_URL": f"postgresql://x@127.0.0.1:{port}/x",
            "REDIS_URL": f"redis://127.0.0.1:{port}/0",
        }
        arguments = ["doctor", "--data", str(tmp_path), "--url", "http://127.0.0.1:9"]
        done = puertorico(*arguments, env=own)
    assert time.monotonic() - began < 40
    assert done.returncode == 1
    assert done.stderr == ""
    disk, *findings, _, summary = done.stdout.splitlines()
    assert disk.startswith("ok   The disk")
    assert [line[:5] for line in findings] == ["BAD  "] * 6
    assert summary == "Not well: 6."
