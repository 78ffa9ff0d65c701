"""The version of a game in ETag and If-Match: `"<version>.<seat or w>.<view format>"`.

Different viewers see different documents of one version, so the ETag names the viewer; a change
depends on the version alone, so If-Match compares nothing else.
"""

from __future__ import annotations

import re

from shared.http.problems import Problem
from shared.views import VIEW_FORMAT

_TAG = r'(?:W/)?"([0-9]{1,10})(?:\.[^"]*)?"'  # proxies that compress make tags weak
ETAGS = rf"^{_TAG}(?: *, *{_TAG})*$"
"""What If-Match may hold, for the specification too."""
_TAGS = re.compile(ETAGS)


def etag(version: int, viewer: int | None) -> str:
    """Write the ETag of what this seat, or a watcher, sees of a version."""
    return f'"{version}.{"w" if viewer is None else viewer}.{VIEW_FORMAT}"'


def wanted_versions(if_match: str | None) -> frozenset[int] | None:
    """Read If-Match: the versions of which the game must be at one; None if it is not sent."""
    if if_match is None:
        return None
    if not _TAGS.fullmatch(if_match.strip()):
        raise Problem("bad_request", "If-Match must name ETags of the game's state.")
    return frozenset(int(version) for version in re.findall(_TAG, if_match))
