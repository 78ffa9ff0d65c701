"""Writes docs/problems.md, the list of all problem codes, from their table."""

from __future__ import annotations

from pathlib import Path

from shared.http.refusals import ALL_KINDS

PAGE = Path(__file__).parents[2] / "docs" / "problems.md"

_HEAD = """\
# Problem codes

Every refusal is `application/problem+json` (RFC 9457). `code` is stable; `detail` is for people and
may change. `GET /problems/<code>`, the document's `type`, gives a row of this list. `errors` points
to faulty values: by `pointer` (RFC 6901) into the body, or by `parameter` in the query. Written by
`python -m shared.http.problem_page`.

| status | code | title | what to do | rule |
|---|---|---|---|---|
"""


def page() -> str:
    rows = sorted((kind.status, code, kind) for code, kind in ALL_KINDS.items())
    return _HEAD + "".join(
        f"| {status} | `{code}` | {kind.title} | {kind.advice} | {_section(kind.rule)} |\n"
        for status, code, kind in rows
    )


def _section(rule: str | None) -> str:
    return f"[{rule}](rules.md#{rule})" if rule else ""


if __name__ == "__main__":
    PAGE.write_text(page())
