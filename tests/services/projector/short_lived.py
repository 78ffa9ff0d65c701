"""A projector that is killed again and again while it drains: `... short_lived KILLS`."""

import os
import random
import signal
import sys
import time

from services.projector.wiring import from_environment


def main(kills: int) -> None:
    for _ in range(kills):
        child = os.fork() or _drain()
        time.sleep(random.uniform(0.02, 0.3))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _drain() -> int:
    """Never comes to its end."""
    wiring = from_environment()
    while True:
        for part, head in wiring.store.heads().items():
            if head:
                wiring.projector.drain(part, wiring.generations.live)


if __name__ == "__main__":
    main(int(sys.argv[1]))
