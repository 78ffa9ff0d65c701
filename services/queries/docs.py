"""The specification, its browsable form, the rules and the problem codes; all from here."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from pathlib import Path

from flask import Blueprint, Response, jsonify, redirect, request, send_file, send_from_directory
from markdown_it import MarkdownIt
from werkzeug.wrappers import Response as WerkzeugResponse

from shared.http.problems import Kind, Problem
from shared.http.refusals import ALL_KINDS

docs = Blueprint("docs", __name__)

_ROOT = Path(__file__).parents[2]
_SPECIFICATION = _ROOT / "openapi.yaml"
_ASSETS = Path(str(files("flask_swagger_ui"))) / "dist"
_OWN = Path(__file__).parent / "docs_page"
# Swagger UI sets style attributes and draws its icons from data: URLs.
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_PAGE = (_OWN / "page.html").read_text()
_OUTWARD = re.compile(r"\]\(\.\./([\w./-]+)")
"""A page's link to a file that lies beside docs/, such as a rule case."""


def _name(link: str) -> str:
    """What a file beside docs/ is called under /docs, where names have one segment."""
    return link.replace("/", "~")


def _shown_files() -> dict[str, Path]:
    """The pages and the files that they link to, by name. No other file is ever read."""
    pages = {page.name: page for page in (_ROOT / "docs").glob("*.md")}
    links = {link for page in pages.values() for link in _OUTWARD.findall(page.read_text("utf-8"))}
    return pages | {_name(link): _ROOT / link for link in links if (_ROOT / link).is_file()}


_FILES = _shown_files()


@docs.get("/")
def front() -> WerkzeugResponse:
    return redirect("/docs", 302)


@docs.get("/openapi.yaml")
def specification() -> Response:
    return send_file(_SPECIFICATION, mimetype="application/yaml", conditional=True)


@docs.get("/docs")
def page() -> Response:
    answer = send_file(_OWN / "index.html")
    answer.headers["Content-Security-Policy"] = _CSP
    return answer


@docs.get("/docs/<path>")
def asset(path: str) -> Response:
    if path in _FILES:
        return send_file(_FILES[path], mimetype="text/plain")
    folder = _OWN if path == "start.js" else _ASSETS
    return send_from_directory(folder, path)


@docs.get("/docs/<name>.md")
def written(name: str) -> Response:
    """Give a page that the specification names, `docs/fair-draws.md` say; browsers get HTML."""
    if (path := _FILES.get(f"{name}.md")) is None:
        raise Problem("not_found")
    text = _OUTWARD.sub(lambda link: f"]({_name(link[1])}", path.read_text("utf-8"))
    wanted = request.accept_mimetypes.best_match(["text/markdown", "text/html"])
    answer = _rendered(text) if wanted == "text/html" else Response(text, mimetype="text/markdown")
    answer.headers["Vary"] = "Accept"
    return answer


@docs.get("/rules.md")
def rules_as_played() -> WerkzeugResponse:
    """Lead to the rules, whose sections refusals name."""
    return redirect("/docs/rules.md", 302)


@docs.get("/problems")
def list_problems() -> Response:
    return jsonify(items=[_shown(code, kind) for code, kind in ALL_KINDS.items()])


@docs.get("/problems/<code>")
def show_problem(code: str) -> Response:
    """Explain a code: the address that a problem document's `type` names."""
    if code not in ALL_KINDS:
        raise Problem("not_found")
    return jsonify(_shown(code, ALL_KINDS[code]))


def _rendered(text: str) -> Response:
    """Make a page of one of our own texts; they may hold anchors in HTML."""
    title = text.partition("\n")[0].removeprefix("# ")
    body = MarkdownIt("commonmark").enable("table").render(text)
    answer = Response(_PAGE.format(title=escape(title), body=body), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = _CSP
    return answer


def _shown(code: str, kind: Kind) -> dict[str, object]:
    return {
        "type": f"/problems/{code}",
        "code": code,
        "status": kind.status,
        "title": kind.title,
        "advice": kind.advice,
        "rule": kind.rule,
        "rule_text": kind.rule and f"/docs/rules.md#{kind.rule}",
    }
