"""How far the proof reaches over real servers' schemas: see `reach.py`, which prints the table."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from calibration import work_seconds
from reach import TYPES, by_hand, listed, shares
from typedtool import BudgetExceeded, SchemaError, parse_schema
from typedtool.compatibility.proof import Comparison, Refuted, compare


def test_of_types_written_by_hand_at_most_one_in_ten_verdicts_is_unknown(shared: Path) -> None:
    found = by_hand(shared / "corpus")
    assert len(found) == len(TYPES) >= 30
    counted = shares(list(found.values()))
    unknown = counted["accepts"]["Unknown"] + counted["guarantees"]["Unknown"]
    assert unknown <= 0.1 * 2 * len(found), counted["why"]
    assert counted["accepts"]["Proved"] >= 30, counted


def test_every_witness_about_a_real_schema_is_one_that_the_schema_judges_so(shared: Path) -> None:
    tools = listed(shared / "corpus")
    for key, comparison in by_hand(shared / "corpus").items():
        schema = parse_schema(tools[key]["outputSchema"])
        if isinstance(comparison.accepts, Refuted):
            assert schema.is_valid(comparison.accepts.witness), key
        if isinstance(comparison.guarantees, Refuted):
            assert not schema.is_valid(comparison.guarantees.witness), key


def test_a_comparison_with_any_real_schema_is_quick(shared: Path) -> None:
    times: list[float] = []
    unit = work_seconds()
    seen: set[str] = set()
    for tool in listed(shared / "corpus").values():
        text = repr(tool["outputSchema"])
        if text in seen or len(seen) >= 400:
            continue
        seen.add(text)
        try:
            schema = parse_schema(tool["outputSchema"])
        except (SchemaError, BudgetExceeded):
            continue
        began = time.thread_time()
        assert isinstance(compare(dict[str, object], schema), Comparison)
        times.append(time.thread_time() - began)
    assert len(times) > 300
    assert statistics.median(times) < 0.5 * max(unit, work_seconds())
