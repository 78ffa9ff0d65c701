"""A projector that events of type `deadly` end at once, as a fault in a C library would.

It is started again until it has drained everything; says how often it died.
"""

import os

from services.projector import attempts
from services.projector.wiring import from_environment
from shared.table.events import PlayerJoined
from shared.wire import events, upcasts

DEATH = 9


def main() -> None:
    attempts.ALONE_SECONDS = 1
    events.TYPES["deadly"] = (PlayerJoined, 2)
    upcasts.UPCASTS["deadly", 1] = lambda _: os._exit(DEATH)
    deaths = 0
    while _run() == DEATH:
        deaths += 1
    print(deaths)


def _run() -> int:
    """In a process of its own; this one has no connections that it could inherit."""
    if pid := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    wiring = from_environment()
    parts = [part for part, head in wiring.store.heads().items() if head]
    while parts:
        parts = wiring.projector.drain_parts(parts, wiring.generations.live)
    os._exit(0)


if __name__ == "__main__":
    main()
