"""The benches run, and all that they compare comes to the same answer. How fast is theirs to say, not a test's."""

from __future__ import annotations

import pytest

import bench_decoding
import bench_validation
from interleaved import ratios, table

pytest.importorskip("mcp_types", reason="the benches compare with SDK 2.x")


@pytest.mark.parametrize("name", bench_validation.WORK)
def test_what_validation_is_compared_with_comes_to_the_same_answer(name: str) -> None:
    for run in bench_validation.contenders(name).values():
        run()


def test_what_decoding_is_compared_with_comes_to_the_same_rows() -> None:
    found = {name: run() for name, run in bench_decoding.contenders(3).items()}
    assert found.pop("SDK validate_tool_result") is None
    rows = {name: [(row.id, row.name, row.tags) for row in value] for name, value in found.items()}
    assert set(map(str, rows.values())) == {str([(i, f"row {i}", ["a", "b"]) for i in range(3)])}


def test_ratios_are_to_the_first_contender() -> None:
    found = ratios(
        {"one": lambda: sum(range(2_000)), "ten": lambda: [sum(range(2_000)) for _ in range(10)]},
        rounds=5,
        seconds=0.001,
    )
    assert found["one"][1] == 1.0
    assert 4 < found["ten"][1] < 25
    assert "ten" in table("title", found)
