"""The games of the README are played by the very commands that stand there."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import httpx

from tests.stack.running import up

README = Path(__file__).parents[2] / "README.md"


def commands_of(section: str) -> str:
    """The shell blocks of a section, in order."""
    _, _, rest = README.read_text().partition(f"\n## {section}\n")
    assert rest, section
    return "".join(re.findall(r"```sh\n(.*?)```", rest.partition("\n## ")[0], re.DOTALL))


def test_the_readmes_games_can_be_played(tmp_path: Path) -> None:
    with up(tmp_path / "data") as stack:
        commands = commands_of("A first game") + "echo === \n" + commands_of("Against bots")
        script, replaced = re.subn(
            r"^URL=.*$", f"URL={stack.address}", commands, flags=re.MULTILINE
        )
        assert replaced == 1
        await_bots(stack.address)
        shell = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, check=False
        )
    assert shell.returncode == 0, shell.stderr
    first, against_bots = shell.stdout.split("===")
    assert first.count('"first_version"') == 1, "one of three players was awaited"
    assert first.count('"code"') == 2, "the others were refused"
    assert '"role_chosen"' in first
    assert '"game_started"' in against_bots
    assert against_bots.count('"doubloons"') == 4


def await_bots(address: str) -> None:
    while len(httpx.get(f"{address}/v1/bots").json()["items"]) < 3:
        time.sleep(0.1)
