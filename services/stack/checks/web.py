"""The command and the query service, asked as a client would ask them."""

from __future__ import annotations

from collections.abc import Iterator

import httpx

from services.stack.checks.finding import Finding

_STORES_NOTHING = "/v1/analysis/legal-moves"
"""A POST of the command service that an empty body cannot harm."""


def check(url: str) -> Iterator[Finding]:
    with httpx.Client(base_url=url, timeout=10) as http:
        yield _asked(http, "query", "GET", "/readyz", httpx.codes.OK)
        yield _asked(http, "command", "POST", _STORES_NOTHING, httpx.codes.UNPROCESSABLE_ENTITY)


def _asked(http: httpx.Client, name: str, method: str, path: str, right: int) -> Finding:
    try:
        answer = http.request(method, path, json={} if method == "POST" else None)
    except (httpx.TransportError, httpx.InvalidURL) as error:
        return Finding(
            f"Nothing answers for the {name} service at {http.base_url}: {error}",
            "start it, or name its address with --url",
        )
    if answer.status_code != right:
        return Finding(
            f"The {name} service answers {method} {path} with {answer.status_code}.",
            f"see its log for the request {answer.headers.get('X-Request-Id', 'in question')}",
        )
    return Finding(f"The {name} service answers at {http.base_url}.")
