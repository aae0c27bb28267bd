"""Recorded results: records out of a text, and the results of each tool."""

from __future__ import annotations

from typing import Any

import pytest

from typedtool import Budget, BudgetExceeded
from typedtool.results.definitions import Definition
from typedtool.results.recordings import read_recorded, records_of
from typedtool.values.json_text import NotJson


@pytest.mark.parametrize(
    ("data", "records"),
    [
        (b'{"tool": "a"}', [{"tool": "a"}]),
        (b'[{"tool": "a"}, {"tool": "b"}]', [{"tool": "a"}, {"tool": "b"}]),
        (b'{"tool": "a"}\n\n  \r\n{"tool": "b"}\n', [{"tool": "a"}, {"tool": "b"}]),
        (b'\xef\xbb\xbf{"tool": "a"}\n[1]', [{"tool": "a"}, [1]]),
        (b"[]", []),
    ],
)
def test_records_are_one_value_an_array_or_a_value_a_line(data: bytes, records: list[Any]) -> None:
    assert records_of(data) == records


def test_a_line_that_is_not_json_is_said_to_be_none() -> None:
    with pytest.raises(NotJson, match="not JSON"):
        records_of(b'{"tool": "a"}\nhello')


def test_records_are_held_to_the_budget() -> None:
    for data in (b"[[1]]", b"1\n[[1]]"):
        with pytest.raises(BudgetExceeded):
            records_of(data, Budget(depth=1))
    with pytest.raises(BudgetExceeded):
        records_of(b"[1, 2, 3]", Budget(bytes=5))


def test_results_are_gathered_by_tool_and_the_listing_comes_first() -> None:
    listed = {"a": Definition("a", "listed")}
    entry = {"name": "b", "description": "recorded"}
    found = read_recorded(
        [
            {"tool": "a", "result": 1},
            {"tool": entry, "result": 2},
            {"tool": {"name": "a", "description": "recorded"}, "result": 0},
            {"tool": "b", "result": False},
        ],
        listed,
    )
    assert [(name, each.definition.description, each.results) for name, each in found.items()] == [
        ("a", "listed", [1, 0]),
        ("b", "recorded", [2, False]),
    ]


@pytest.mark.parametrize(
    "record", [None, [], "a", {}, {"tool": "a"}, {"tool": "a", "result": None}, {"result": 1}]
)
def test_what_is_no_record_of_a_result_is_left_out(record: Any) -> None:
    assert read_recorded([record], {}) == {}
