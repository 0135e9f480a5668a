"""`python -m benchmarks [steps|openenv|memory|browser …]`: measures and prints; judges nothing."""

from __future__ import annotations

import sys

from benchmarks import browser, memory, openenv, steps

REPORTS = {
    "steps": steps.report,
    "openenv": openenv.report,
    "memory": memory.report,
    "browser": browser.report,
}

if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - set(REPORTS)
    if unknown:
        sys.exit(f"benchmarks: unknown {', '.join(unknown)}; there are: {', '.join(REPORTS)}")
    for name in sys.argv[1:] or REPORTS:
        REPORTS[name]()
