"""A client that knows only the types generated from openapi.yaml plays a whole game."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.stack.running import up

CLIENT = Path(__file__).parent / "built" / "play.js"


@pytest.mark.node
def test_a_typescript_client_plays_a_game(tmp_path: Path) -> None:
    with up(tmp_path / "data") as stack:
        played = subprocess.run(
            ["node", CLIENT, stack.address], capture_output=True, text=True, check=False
        )
    assert played.returncode == 0, played.stderr
    assert played.stdout.startswith("finished after")
