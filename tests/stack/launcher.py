"""A launcher to be killed: runs the embedded servers, says their processes, and waits.

`python -m tests.stack.launcher DATA` prints one JSON line when all is up.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from services.stack.data_directory import DataDirectory
from services.stack.embedded import embedded

if __name__ == "__main__":
    with DataDirectory(Path(sys.argv[1])) as data, embedded(data) as stack:
        print(json.dumps([process.pid for process in stack.processes]), flush=True)
        time.sleep(600)
