"""The bench of proof, short: its promises hold, as ratios within one interleaved run."""

from __future__ import annotations

import pytest

from bench_decoding import SCHEMA, Row
from bench_proof import measured
from calibration import work_units
from typedtool import parse_schema
from typedtool.compatibility.proof import compare

# the SDK's session is made and never closed: only its validator is measured
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)


def test_what_is_proved_costs_nothing_and_what_is_left_little() -> None:
    found = measured(1_000, 9)
    assert found["proved to unbound"] <= 1.15
    assert found["a part left to unbound"] <= 2.5
    assert found["SDK validation to proved"] >= 100


def test_a_comparison_of_a_real_schema_takes_less_than_half_a_unit_of_work() -> None:
    schema = parse_schema(SCHEMA)
    assert work_units(lambda: [compare(list[Row], schema) for _ in range(20)]) < 10
