"""What proof saves and costs, as ratios: a bound decode where all is proved, where a part is left, and without proof.

python tests/bench/bench_proof.py
"""

from __future__ import annotations

import statistics
import time
from typing import Any, Optional

import msgspec

from bench_decoding import SCHEMA, Row, rows, sdk_validation
from interleaved import Contender, ratios, table
from typedtool import TypedTool
from typedtool.compatibility.proof import compare
from typedtool.decoding.decoder import Decoder
from typedtool.schemas.schema import parse_schema


class Part(msgspec.Struct):
    """A Row without its tags: what the schema says of them is left to be checked."""

    id: int
    name: str
    score: float
    active: bool
    parent: Optional[int]


def contenders(count: int) -> dict[str, Contender]:
    value = {"result": rows(count)}
    result = {"content": [], "structuredContent": value}
    tool = TypedTool[None, list[Row]]("rows")
    proved = tool.against({"name": "rows", "outputSchema": SCHEMA})
    part = TypedTool[None, list[Part]]("rows").against({"name": "rows", "outputSchema": SCHEMA})
    whole: Any = Decoder(list[Row], SCHEMA)  # a decoder alone validates all of it: no proof
    return {
        "unbound": lambda: tool.decode(result),
        "bound, proved": lambda: proved.decode(result),
        "bound, a part left": lambda: part.decode(result),
        "all validated": lambda: whole.decode(result),
        "bare convert": lambda: msgspec.convert(value["result"], list[Row]),
        "SDK validation": sdk_validation(value),
    }


def measured(count: int, rounds: int) -> dict[str, float]:
    """The ratios that are promised."""
    found = {name: ratio for name, (_, ratio) in ratios(contenders(count), rounds).items()}
    return {
        "proved to unbound": found["bound, proved"],
        "a part left to unbound": found["bound, a part left"],
        "all validated to unbound": found["all validated"],
        "SDK validation to proved": found["SDK validation"] / found["bound, proved"],
    }


def milliseconds_of_compare(schema: Any, tp: Any, rounds: int = 20) -> float:
    """The median time of both verdicts about a schema that is parsed already, in milliseconds."""
    times: list[float] = []
    for _ in range(rounds):
        began = time.thread_time()
        compare(tp, schema)
        times.append((time.thread_time() - began) * 1e3)
    return statistics.median(times)


def main() -> None:
    for count in (3, 1_000):
        print(table(f"{count} objects", ratios(contenders(count), rounds=15)))
    print(f"compare: {milliseconds_of_compare(parse_schema(SCHEMA), list[Row]):.2f} ms")


if __name__ == "__main__":
    main()
