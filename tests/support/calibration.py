"""How long something takes, in a unit that a slow or busy machine stretches as much: a fixed piece of work.

A test that promises "bounded" compares with a wide multiple of it; how fast something is, tests/bench says.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

_TEXT = json.dumps([{"id": i, "name": f"row {i}", "tags": ["a", "b"], "score": i / 7} for i in range(300)])


def work_seconds() -> float:
    """The processor time of the fixed work in this thread: about a hundredth of a second on a machine of 2024."""
    times: list[float] = []
    for _ in range(3):
        start = time.thread_time()
        for _ in range(20):
            rows = json.loads(_TEXT)
            sum(len(repr(value)) for row in rows for value in row.values())
        times.append(time.thread_time() - start)
    return sorted(times)[1]


def work_units(run: Callable[[], object]) -> float:
    """The processor time that `run` takes in this thread, as a multiple of the fixed work's, measured before and after."""
    before = work_seconds()
    start = time.thread_time()
    run()
    spent = time.thread_time() - start
    return spent / max(before, work_seconds())
