"""How a service's workers share new connections, all of which listen at the same socket."""

from __future__ import annotations

_SECONDS_EACH = 0.000_05
_MOST = 10


def hesitation(held: int) -> float:
    """Say how many seconds a worker that holds so many leaves a new connection to the others.

    All are woken by it, and whoever was last asleep tends to be first. Clients and proxies keep
    their connections, so that one worker would have nearly all of them, and the others no work.
    """
    return min(held, _MOST) * _SECONDS_EACH
