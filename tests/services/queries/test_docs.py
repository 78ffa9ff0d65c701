"""What a server serves for readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin

from flask.testing import FlaskClient

from tests.architecture.source import ROOT
from tests.architecture.test_documents import without_code
from tests.services.queries.conftest import problem


def text_of(queries: FlaskClient, path: str, mimetype: str) -> str:
    answer = queries.get(path)
    with answer:
        assert (answer.status_code, answer.mimetype) == (200, mimetype), path
        return answer.text


def test_every_page_that_the_specification_names_is_served(queries: FlaskClient) -> None:
    specification = text_of(queries, "/openapi.yaml", "application/yaml")
    pages = set(re.findall(r"docs/[a-z-]+\.md", specification))
    assert "docs/fair-draws.md" in pages
    for page in pages:
        assert text_of(queries, f"/{page}", "text/markdown").startswith("# ")


def test_no_other_file_is_served_as_a_page(queries: FlaskClient) -> None:
    for path in (
        *("/docs/nothing.md", "/docs/..%2FREADME.md", "/docs/..~README.md", "/docs/README.md"),
        *("/docs/deploy~compose.yaml", "/docs/deploy%2FREADME.md"),
    ):
        assert problem(queries.get(path)) == (404, "not_found")


def links(address: str, text: str) -> Iterator[str]:
    """Where a page's links lead on this server."""
    for link in re.findall(r"\]\(([^)\s]+)", without_code(text)):
        if not re.match(r"[a-z]+:", link):
            yield urldefrag(urljoin(address, link)).url


def test_every_link_of_every_page_leads_to_something(queries: FlaskClient) -> None:
    found = [f"/docs/{page.name}" for page in (ROOT / "docs").glob("*.md")]
    for address in found:  # grows while we read
        answer = queries.get(address)
        with answer:
            assert answer.status_code == 200, address
            if address.endswith(".md"):
                assert answer.mimetype == "text/markdown"
                found += set(links(address, answer.text)) - set(found)
    assert {"/docs/deploy~README.md", "/docs/rules.md"} < set(found)


def test_a_rule_case_that_a_page_links_to_is_shown_as_it_is(queries: FlaskClient) -> None:
    case = "tests/rule_cases/cases/base/4.1-settler.yaml"
    browser = {"Accept": "text/html"}
    address = f"/docs/{case.replace('/', '~')}"
    page = queries.get("/docs/proofs.md", headers=browser).text
    assert f'<a href="{address.removeprefix("/docs/")}"' in page
    assert text_of(queries, address, "text/plain") == (ROOT / case).read_text("utf-8")


def test_every_refusals_rule_leads_to_its_section(queries: FlaskClient) -> None:
    rules = text_of(queries, "/docs/rules.md", "text/markdown")
    kinds = queries.get("/problems").get_json()["items"]
    leads = {kind["rule_text"] for kind in kinds} - {None}
    assert leads
    for address in leads:
        path, _, section = address.partition("#")
        assert path == "/docs/rules.md"
        assert f'<a id="{section}"></a>' in rules, address


def test_a_browser_is_shown_a_page_with_its_anchors_and_links(queries: FlaskClient) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    assert queries.get("/rules.md", headers=browser).location == "/docs/rules.md"

    answer = queries.get("/docs/rules.md", headers=browser)

    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert answer.headers["Vary"] == "Accept"
    assert '<a id="4.6"></a>' in answer.text
    assert '<a href="proofs.md#1-pieces">cases</a>' in answer.text
    assert "<table>" in answer.text
