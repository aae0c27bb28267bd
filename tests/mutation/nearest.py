"""A pytest plugin of the mutation run: keeps the nearest tests, and starts no process from them.

`NEAREST_RECORD=FILE` writes the tests that pass within `NEAREST_SECONDS` of CPU time; `NEAREST_TESTS=FILE` runs those and no others.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import time
from collections.abc import Iterator

import pytest

PASSED: dict[str, float] = {}
FAILED: set[str] = set()
START_PROCESS = subprocess.Popen.__init__


def refuse(self: object, *args: object, **options: object) -> None:
    raise OSError("the mutation run starts no process from a test")


def pytest_configure(config: pytest.Config) -> None:
    subprocess.Popen.__init__ = refuse  # type: ignore[method-assign,assignment]


def pytest_unconfigure(config: pytest.Config) -> None:
    subprocess.Popen.__init__ = START_PROCESS  # type: ignore[method-assign]
    record = os.environ.get("NEAREST_RECORD")
    if record:
        least = float(os.environ["NEAREST_SECONDS"])
        kept = sorted(test for test, spent in PASSED.items() if spent <= least and test not in FAILED)
        dropped = sorted(PASSED.keys() - set(kept) | FAILED)
        pathlib.Path(record).write_text(json.dumps({"kept": kept, "dropped": dropped}, indent=1), "utf-8")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    start = time.process_time()
    yield
    PASSED[item.nodeid] = PASSED.get(item.nodeid, 0.0) + time.process_time() - start


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if not report.passed:
        FAILED.add(report.nodeid)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = os.environ.get("NEAREST_TESTS")
    if not chosen:
        return
    kept = set(json.loads(pathlib.Path(chosen).read_text("utf-8"))["kept"])
    dropped = [item for item in items if item.nodeid not in kept]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item.nodeid in kept]
