"""What is written for readers leads where it says."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_or_a_heading_resolves(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)", without_code(page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if fragment and target.suffix == ".md":
            assert fragment in anchors(target.read_text("utf-8")), link


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def anchors(text: str) -> set[str]:
    """The ids set by hand, and those that a heading gets by its words."""
    headings = re.findall(r"^#+ (.*)$", without_code(text), re.MULTILINE)
    slugs = {
        re.sub(r"[^a-z0-9 _-]", "", head.lower()).strip().replace(" ", "-") for head in headings
    }
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_what_the_pages_say_to_make_can_be_made_in_a_new_clone(page: str, tmp_path: Path) -> None:
    targets = set(
        re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)", (ROOT / page).read_text(), re.MULTILINE)
    )
    assert targets
    for file in ("Makefile", "requirements.lock", "pyproject.toml", "package-lock.json"):
        shutil.copy(ROOT / file, tmp_path)
    for target in {first or second for first, second in targets}:
        make = ["make", "--dry-run", target]
        planned = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert planned.returncode == 0, planned.stderr
        assert "python3 -m venv .venv" in planned.stdout, target
