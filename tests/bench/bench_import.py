"""`import typedtool`, as CPU time against `import msgspec, typing_extensions`, which it stands on.

    python tests/bench/bench_import.py

Each import runs in a process of its own, in turn, with its bytecode cached. The aim is a ratio of at most 1.5.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

BASE = "import msgspec, typing_extensions"
OURS = "import typedtool"


def seconds(statement: str) -> float:
    """The CPU time of one import in a new process, without the start of the interpreter."""
    code = f"import time; start = time.process_time(); {statement}; print(time.process_time() - start)"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def ratio(rounds: int) -> tuple[float, float, float]:
    """The median times of both in milliseconds, and the median of their ratios round by round."""
    seconds(BASE), seconds(OURS)  # so that the bytecode is there
    pairs = [(seconds(BASE), seconds(OURS)) for _ in range(rounds)]
    base, ours = (statistics.median(times) * 1e3 for times in zip(*pairs))
    return base, ours, statistics.median(b / a for a, b in pairs)


if __name__ == "__main__":
    base, ours, times = ratio(31)
    print(f"{BASE}: {base:.1f} ms\n{OURS}: {ours:.1f} ms, {times:.2f} times as much")
