"""What binding costs, and what the first result after it costs beside the second.

    python tests/bench/bench_bind.py

Each round makes a new type and a new schema, so that nothing is known of them; then it binds and reads three times.
CPU time of the thread, the median over the rounds.
"""

from __future__ import annotations

import gc
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

from msgspec import Struct, defstruct

from typedtool import TypedTool, TypedToolWarning

STR, NUM = {"type": "string"}, {"type": "number"}
ROW = {"hour": "09:00", "temp": 7.5, "conditions": "rain"}


def row(**closed: Any) -> dict[str, Any]:
    properties = {"hour": STR, "temp": {**NUM}, "conditions": STR}
    return {"type": "object", "properties": properties, "required": list(properties), **closed}


def wrapping(schema: Any) -> dict[str, Any]:
    found = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    return {**found, "x-fastmcp-wrap-result": True}


ARRAY = {"type": "array", "items": row()}
CASES: dict[str, tuple[Callable[[type[Struct]], Any], dict[str, Any], Any]] = {
    "an object": (lambda made: made, row(), ROW),
    "a wrapped list of objects": (lambda made: list[made], wrapping(ARRAY), {"result": [ROW]}),  # type: ignore[valid-type]
    "closed objects, a part left to check": (
        lambda made: list[made],  # type: ignore[valid-type]
        wrapping({"type": "array", "items": row(additionalProperties=False)}),
        {"result": [ROW]},
    ),
    "JSON inside of a string": (
        lambda made: list[made],  # type: ignore[valid-type]
        wrapping(STR),
        {"result": '[{"hour": "09:00", "temp": 7.5, "conditions": "rain"}]'},
    ),
}


def once(case: str, number: int) -> tuple[float, float, float, float]:
    """Seconds of the bind, the first, the second and the third read."""
    type_of, schema, value = CASES[case]
    made = defstruct("Row", [("hour", str), ("temp", float), ("conditions", str)])
    tool: TypedTool[None, Any] = TypedTool("f", None, type_of(made))
    definition = {"name": "f", "outputSchema": {**schema, "title": f"{case} {number}"}}
    result = {"content": [], "structuredContent": value}
    clock = time.thread_time
    start = clock()
    bound = tool.against(definition)
    times = [clock()]
    for _ in range(3):
        bound.read(result)
        times.append(clock())
    return times[0] - start, times[1] - times[0], times[2] - times[1], times[3] - times[2]


def measured(rounds: int = 60) -> dict[str, tuple[float, float, float]]:
    """For each case: milliseconds of bind and first read together, first to second read, first to third read."""
    taken: dict[str, list[tuple[float, float, float, float]]] = {case: [] for case in CASES}
    gc.collect()
    gc.disable()
    try:
        for number in range(rounds):
            for case in CASES:
                taken[case].append(once(case, number))
    finally:
        gc.enable()
    found = {}
    for case, rows in taken.items():
        bind, first, second, third = (statistics.median(column) for column in zip(*rows))
        found[case] = (1e3 * (bind + first), first / second, first / third)
    return found


def real_schemas() -> tuple[int, float]:
    """How many tools of the corpus are bound to types written by hand, and the milliseconds that takes, new each time."""
    from reach import TYPES, listed
    from shared_material import find_shared

    shared = find_shared()
    tools = {} if shared is None else listed(shared / "corpus")
    known = [key for key in TYPES if key in tools]
    taken = 0.0
    for key in known:
        tool: TypedTool[None, Any] = TypedTool("f", None, TYPES[key])
        definition = {"name": "f", "outputSchema": tools[key]["outputSchema"]}
        start = time.thread_time()
        tool.against(definition)
        taken += time.thread_time() - start
    return len(known), 1e3 * taken


def main() -> None:
    warnings.simplefilter("ignore", TypedToolWarning)
    once("an object", -1)
    print(f"{'':40} bind + first read   first : second   first : third")
    for case, (both, second, third) in measured().items():
        print(f"{case:40} {both:14.2f} ms {second:16.1f} {third:15.1f}")
    tools, taken = real_schemas()
    print(f"{f'bind to {tools} real schemas':40} {taken:14.2f} ms")


if __name__ == "__main__":
    main()
