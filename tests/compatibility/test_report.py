"""What binding found, as it is read."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from typedtool import Finding, Report
from typedtool.compatibility.report import describe_change

STR, INT = {"type": "string"}, {"type": "integer"}


def test_a_finding_is_one_line_that_names_its_tool_once() -> None:
    assert str(Finding("warning", "now", "decoded by type alone")) == "warning: 'now': decoded by type alone"
    assert str(Finding("note", "now", "tool 'now': no schema")) == "note: tool 'now': no schema"
    assert str(Finding("warning", "", "the listing failed")) == "warning: the listing failed"
    assert len(str(Finding("error", "now", "x" * 5_000))) <= 600


def test_a_report_is_a_line_for_each_finding() -> None:
    report = Report((Finding("error", "a", "gone"), Finding("note", "b", "open")))
    assert str(report) == "error: 'a': gone\nnote: 'b': open"
    assert len(report) == 2 and [f.tool for f in report] == ["a", "b"]
    assert str(Report()) == "nothing to report" and not Report()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (STR, {"type": "string"}, None),
        (UNSET, UNSET, None),
        (UNSET, STR, "added"),
        (STR, UNSET, "withdrawn"),
        (STR, INT, "changed at #/type"),
        (
            {"properties": {"a": STR}},
            {"properties": {"b": STR}},
            "removed at #/properties/a, added at #/properties/b",
        ),
        ({"properties": {"a/b~": STR}}, {"properties": {}}, "removed at #/properties/a~1b~0"),
        ({"enum": [1, 2]}, {"enum": [1, 3]}, "changed at #/enum/1"),
        ({"enum": [1, 2]}, {"enum": [1]}, "changed at #/enum"),
        (True, STR, "changed at #"),
    ],
)
def test_a_change_of_a_schema_is_said_by_json_pointers(old: Any, new: Any, said: str | None) -> None:
    assert describe_change(old, new) == said


def test_of_many_changes_the_first_five_are_said() -> None:
    said = describe_change({}, dict.fromkeys("abcdefgh", STR))
    assert said == ", ".join(f"added at #/{name}" for name in "abcde") + ", ..."
