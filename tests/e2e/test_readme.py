"""The first game of the README is played by the very commands that stand there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.stack.running import up

README = Path(__file__).parents[2] / "README.md"


def commands_of(section: str) -> str:
    """The shell blocks of a section, in order."""
    _, _, rest = README.read_text().partition(f"\n## {section}\n")
    assert rest, section
    return "".join(re.findall(r"```sh\n(.*?)```", rest.partition("\n## ")[0], re.DOTALL))


def test_the_readmes_first_game_can_be_played(tmp_path: Path) -> None:
    with up(tmp_path / "data") as stack:
        script, replaced = re.subn(
            r"^URL=.*$", f"URL={stack.address}", commands_of("A first game"), flags=re.MULTILINE
        )
        assert replaced == 1
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"first_version"') == 1, "one of three players was awaited"
    assert done.stdout.count('"code"') == 2, "the others were refused"
    assert '"role_chosen"' in done.stdout
