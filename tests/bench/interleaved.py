"""Ratios between things run interleaved in one process: the only way in which this project states speed."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

Contender = Callable[[], Any]


def ratios(
    contenders: Mapping[str, Contender], rounds: int = 31, seconds: float = 0.004
) -> dict[str, tuple[float, float]]:
    """For each contender: its median time in microseconds, and its median ratio to the first one, round by round.

    seconds: about how long a contender runs in each round; at least one call.
    """
    names = list(contenders)
    repeats = {name: max(1, int(seconds / max(_once(contenders[name]), 1e-9))) for name in names}
    times: dict[str, list[float]] = {name: [] for name in names}
    gc.collect()
    gc.disable()  # a collection is paid for by whoever runs when it is due, not by who made the garbage
    try:
        _measure(contenders, names, repeats, times, rounds)
    finally:
        gc.enable()
    base = times[names[0]]
    return {
        name: (statistics.median(taken) / 1e3, statistics.median(t / b for t, b in zip(taken, base)))
        for name, taken in times.items()
    }


def _measure(
    contenders: Mapping[str, Contender],
    names: list[str],
    repeats: dict[str, int],
    times: dict[str, list[float]],
    rounds: int,
) -> None:
    for _ in range(rounds):
        for name in names:
            call, repeat = contenders[name], repeats[name]
            start = time.thread_time_ns()
            for _ in range(repeat):
                call()
            times[name].append((time.thread_time_ns() - start) / repeat)
        gc.collect()


def _once(call: Contender) -> float:
    call()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def table(title: str, found: Mapping[str, tuple[float, float]]) -> str:
    """The ratios as lines of text."""
    width = max(map(len, found))
    lines = [
        title,
        *(f"  {name:<{width}}  {micro:12.1f} us  {ratio:9.2f} x" for name, (micro, ratio) in found.items()),
    ]
    return "\n".join(lines)
