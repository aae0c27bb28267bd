"""The bench, short: the promises about speed hold, as ratios within one interleaved run."""

from __future__ import annotations

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "bench"))

from bench_validation import WORK, ratios


def test_a_thousand_rows_validated_and_built_cost_at_most_two_and_a_half_bare_conversions() -> None:
    found = ratios("1,000 rows", 9)
    assert found["validated decode"] <= 2.5
    assert found["SDK validation, times ours"] >= 60


@pytest.mark.parametrize("name", [name for name in WORK if name != "1,000 rows"])
def test_validation_is_at_least_sixty_times_faster_than_the_official_clients(name: str) -> None:
    assert ratios(name, 5)["SDK validation, times ours"] >= 60
