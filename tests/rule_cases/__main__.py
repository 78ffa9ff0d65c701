"""Run rule cases: one line per failing case, then how many passed and failed."""

import sys
from pathlib import Path

from tests.rule_cases.case import documents
from tests.rule_cases.run import failure


def main(arguments: list[str]) -> int:
    """Exit code 1 if any case failed, or if there was none; 2 without a path."""
    if not arguments:
        print("usage: python -m tests.rule_cases PATH...", file=sys.stderr)
        return 2
    passed = failed = 0
    for name, document in documents([Path(argument) for argument in arguments]):
        fault = failure(document)
        if fault is None:
            passed += 1
        else:
            failed += 1
            print(f"{name} {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
