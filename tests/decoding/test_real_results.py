"""Recorded calls of other people's servers: a named outcome each, none silently empty, soft errors told by `error=`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from typedtool import Mismatch, Ok, ToolFailed, TypedTool


@pytest.fixture(scope="module")
def calls(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted((shared / "corpus" / "results").glob("*.json")):
        found += [
            call for call in json.loads(path.read_text("utf-8")) if isinstance(call.get("result"), dict)
        ]
    return found


@pytest.mark.parametrize("out", [object, dict, list], ids=lambda tp: tp.__name__)
def test_every_recorded_call_has_a_named_outcome_and_none_is_silently_empty(
    calls: list[dict[str, Any]], out: Any
) -> None:
    assert len(calls) > 100
    tool = TypedTool[None, out]("recorded")  # type: ignore[valid-type]
    for call in calls:
        outcome = tool.read(call["result"])
        assert isinstance(outcome, (Ok, Mismatch, ToolFailed)), outcome
        assert len(str(outcome)) <= 2_000
        assert isinstance(outcome, ToolFailed) == (call["result"].get("isError") is True)
        if isinstance(outcome, Ok) and not outcome.value and outcome.value != 0:
            sent = (
                call["result"].get("structuredContent"),
                [b.get("text") for b in call["result"].get("content") or ()],
            )
            assert outcome.source == "empty" or _is_empty(sent), (outcome, call)


def _is_empty(sent: tuple[Any, list[Any]]) -> bool:
    structured, texts = sent
    inner = structured.get("result", structured) if isinstance(structured, dict) else structured
    return inner in ({}, [], "", "{}", "[]", False, None) or texts in (["{}"], ["[]"], [""])


class SoftError(msgspec.Struct):
    """What soft errors look like: `isError` false, and an object that says what went wrong."""

    error: str | dict[str, Any]


class Answer(msgspec.Struct):
    """A value that no error object is."""

    answer_that_no_server_sends: int


def test_soft_errors_are_failures_where_the_tool_names_their_shape(calls: list[dict[str, Any]]) -> None:
    soft = [
        c for c in calls if not c["result"].get("isError") and _error_in(c["result"].get("structuredContent"))
    ]
    assert len(soft) >= 5, "the recorded calls hold soft errors"
    for call in soft:
        assert isinstance(TypedTool[None, Answer]("recorded").read(call["result"]), Mismatch)
        outcome = TypedTool[None, Answer]("recorded", error=SoftError).read(call["result"])
        assert isinstance(outcome, ToolFailed), outcome
        assert isinstance(outcome.error, SoftError)
        assert outcome.error.error == _error_in(call["result"]["structuredContent"])


def _error_in(structured: Any) -> Any:
    """The `error` of a structured value, of what is wrapped in it, or of the JSON in its string."""
    places = [structured]
    if isinstance(structured, dict) and set(structured) == {"result"}:
        places.append(structured["result"])
    for place in list(places):
        if isinstance(place, str) and place.lstrip().startswith("{"):
            try:
                places.append(json.loads(place))
            except ValueError:
                continue
    errors = [p["error"] for p in places if isinstance(p, dict) and isinstance(p.get("error"), (str, dict))]
    return errors[0] if errors else None
