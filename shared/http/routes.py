"""The route table: every path with all its methods, whichever service answers them.

GET and HEAD go to the query service, all else to the command service. Each service knows only its
own half as views, so `Allow` and OPTIONS are answered from here. A test holds the table against the
specification.
"""

from __future__ import annotations

from collections.abc import Mapping

from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

API: Mapping[str, tuple[str, ...]] = {
    "/v1/analysis/apply": ("POST",),
    "/v1/analysis/legal-moves": ("POST",),
    "/v1/accounts": ("GET", "POST"),
    "/v1/bots": ("GET",),
    "/v1/tokens": ("POST",),
    "/v1/me": ("GET", "PATCH", "DELETE"),
    "/v1/me/password": ("PUT",),
    "/v1/me/tokens": ("GET", "POST"),
    "/v1/me/tokens/{token_id}": ("DELETE",),
    "/v1/me/games": ("GET",),
    "/v1/me/turns": ("GET",),
    "/v1/rules": ("GET",),
    "/v1/games": ("GET", "POST"),
    "/v1/games/{game_id}": ("GET",),
    "/v1/games/{game_id}/events": ("GET",),
    "/v1/games/{game_id}/invitation": ("GET",),
    "/v1/games/{game_id}/legal-moves": ("GET",),
    "/v1/games/{game_id}/players": ("POST",),
    "/v1/games/{game_id}/players/me": ("DELETE",),
    "/v1/games/{game_id}/players/{account_id}": ("DELETE",),
    "/v1/games/{game_id}/substitute": ("POST",),
    "/v1/games/{game_id}/start": ("POST",),
    "/v1/games/{game_id}/abort": ("POST",),
    "/v1/games/{game_id}/moves": ("POST",),
    "/v1/games/{game_id}/preview": ("POST",),
}
"""What the specification describes."""

PLUMBING: Mapping[str, tuple[str, ...]] = {
    "/": ("GET",),
    "/docs": ("GET",),
    "/docs/{name}.md": ("GET",),
    "/docs/{path}": ("GET",),
    "/healthz": ("GET",),
    "/metrics": ("GET",),
    "/openapi.yaml": ("GET",),
    "/problems": ("GET",),
    "/problems/{code}": ("GET",),
    "/readyz": ("GET",),
    "/rules.md": ("GET",),
}
"""What it does not: documentation, and what operators and proxies ask."""

_PATHS = Map(
    [Rule(path.replace("{", "<").replace("}", ">"), endpoint=path) for path in (*API, *PLUMBING)],
    merge_slashes=False,
).bind("")


def allowed(path: str) -> tuple[str, ...]:
    """List the methods of a path in the order of the `Allow` header; none if it does not exist."""
    try:
        endpoint, _ = _PATHS.match(path)
    except HTTPException:
        return ()
    methods = API.get(endpoint) or PLUMBING[endpoint]
    return (*methods, *(("HEAD",) if "GET" in methods else ()), "OPTIONS")
