"""A client that openapi-python-client makes from openapi.yaml plays a whole game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.stack.running import up

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(sys.executable).parent
PLAYER = Path(__file__).parent / "generated_player.py"


def test_a_generated_python_client_plays_a_game(tmp_path: Path) -> None:
    path = f"{PROGRAMS}:{os.environ['PATH']}"  # the generator looks for ruff
    generate: list[str | Path] = [
        *(PROGRAMS / "openapi-python-client", "generate", "--meta", "none", "--fail-on-warning"),
        *("--path", ROOT / "openapi.yaml", "--output-path", tmp_path / "puerto_rico_client"),
    ]
    generated = subprocess.run(
        generate, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert generated.returncode == 0, generated.stdout + generated.stderr
    with up(tmp_path / "data") as stack:
        played = subprocess.run(
            [sys.executable, PLAYER, stack.address],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert played.returncode == 0, played.stderr
    assert played.stdout.startswith("finished after")
