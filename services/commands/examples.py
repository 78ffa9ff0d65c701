"""Answers that were given to real requests, for the specification.

`python -m tests.services.commands.record` writes them anew, and a test says when that is due.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

FILE = Path(__file__).parent / "examples.json"

EXAMPLES: dict[str, dict[str, Any]] = msgspec.json.decode(FILE.read_bytes())
"""By operation."""
