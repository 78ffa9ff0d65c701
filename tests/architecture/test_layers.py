"""Import directions (pyproject.toml, import-linter)."""

import subprocess
import sys
from pathlib import Path

from tests.architecture.source import ROOT


def test_the_import_contracts_hold() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
