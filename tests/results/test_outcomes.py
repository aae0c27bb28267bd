"""Outcomes: bounded words, fields first, and they pickle."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from msgspec import UNSET

from typedtool import (
    InputRequired,
    InputRequiredError,
    Mismatch,
    MismatchError,
    Ok,
    Problem,
    SchemaChanged,
    ToolFailed,
    ToolFailedError,
    ToolResult,
)
from typedtool.results.outcomes import error_of, value_of

LONG = "x" * 100_000
PROBLEM = Problem("type", "$.a", "integer", "string")
RESULT = ToolResult(({"type": "text", "text": LONG},), {"a": LONG}, {}, False, {"content": LONG})


def test_the_error_of_an_outcome() -> None:
    mismatch = Mismatch("mismatch", (PROBLEM,), RESULT)
    assert isinstance(error_of(mismatch), MismatchError)
    assert isinstance(error_of(Mismatch("mismatch", (PROBLEM,), RESULT, changed="it did")), SchemaChanged)
    assert isinstance(error_of(ToolFailed(RESULT)), ToolFailedError)
    assert isinstance(error_of(InputRequired(RESULT)), InputRequiredError)


def test_messages_name_kinds_and_not_values() -> None:
    error = MismatchError(
        Mismatch("mismatch", (PROBLEM,), ToolResult(structured={"a": "hunter2"}), tool="login")
    )
    assert str(error) == "tool 'login': the value does not fit: expected integer, received string at $.a"
    assert "hunter2" not in str(error) + repr(error)


def test_ok_shows_its_value_and_where_it_came_from() -> None:
    ok = Ok([1, 2], "text", True)
    assert str(ok) == "Ok([1, 2], source='text', unwrapped=True)"
    assert str(Ok("x" * 166)) == f"Ok({'x' * 166!r}, source='structured', unwrapped=False)"
    assert "(167 chars)" in str(Ok("x" * 167))
    match ok:
        case Ok(value):
            assert value == [1, 2]


def test_a_failure_is_one_sentence() -> None:
    said = ToolResult(structured={"why": "full"})
    for outcome, words in (
        (ToolFailed(RESULT), "the tool failed: {'a': 'xxx"),
        (ToolFailed(said, tool="t"), "tool 't' failed: {'why': 'full'}"),
        (ToolFailed(said, "no such city"), "the tool failed: no such city"),
        (ToolFailed(said, "no", -32602), "the tool failed (JSON-RPC error -32602): no"),
        (ToolFailed(said, "no", error={"a": 1}), "the tool failed: {'a': 1}"),
        (ToolFailed(ToolResult(structured=None)), "the tool failed"),
        (ToolFailed(ToolResult()), "the tool failed"),
        (InputRequired(RESULT), "the tool asks for input before it goes on"),
        (
            InputRequired(RESULT, {"city": {}}, tool="t"),
            "tool 't' asks for input before it goes on: ['city']",
        ),
        (
            Mismatch("missing", (PROBLEM,), RESULT),
            "the result holds no value: expected integer, received string at $.a",
        ),
        (
            Mismatch("not_json", (PROBLEM,), RESULT, changed="removed at #/a", tool="t", hint="use text="),
            "tool 't': the text is not JSON: expected integer, received string at $.a"
            " (its schema has changed since it was bound: removed at #/a) (use text=)",
        ),
    ):
        assert outcome.message == str(outcome) or len(outcome.message) > 300
        assert str(outcome).startswith(words)
        assert str(outcome) == words or "xxx" in words


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("missing", "the result holds no value"),
        ("not_json", "the text is not JSON"),
        ("mismatch", "the value does not fit"),
        ("ambiguous", "the result can be read in more than one way"),
        ("malformed", "not a CallToolResult"),
        ("over_budget", "the result is more than the budget allows"),
    ],
)
def test_each_reason_has_its_words(reason: Any, words: str) -> None:
    assert str(Mismatch(reason, (PROBLEM,), RESULT)).startswith(f"{words}: ")


def test_the_words_of_outcomes_are_bounded_whatever_the_server_sent() -> None:
    for outcome in (
        Ok({"a": [LONG] * 100}, result=RESULT),
        ToolFailed(RESULT, LONG, tool=LONG, error=[LONG] * 50),
        ToolFailed(RESULT, LONG, tool=LONG),
        Mismatch("mismatch", (PROBLEM,) * 500, RESULT, changed=LONG, tool=LONG, hint=LONG),
        InputRequired(RESULT, {LONG: 1}, LONG, LONG),
    ):
        assert len(str(outcome)) <= 2_000
        assert len(repr(outcome)) <= 2_000
    assert repr(ToolFailed(ToolResult())) == "ToolFailed('the tool failed')"
    assert repr(Mismatch("mismatch", (PROBLEM,), RESULT)) == f"Mismatch('mismatch', {str(PROBLEM)!r})"


class Unpicklable(Exception):
    def __reduce__(self) -> Any:
        raise TypeError("no")


def test_an_outcome_pickles_without_the_exception_of_the_sdk_and_keeps_its_words() -> None:
    cause = Unpicklable(LONG)
    outcomes: list[Any] = [
        ToolFailed(RESULT, "no", -32602, {"a": 1}, tool="t", cause=cause),
        Mismatch("malformed", (PROBLEM,), RESULT, tool="t", hint="h", cause=cause),
    ]
    for outcome in outcomes:
        copy = pickle.loads(pickle.dumps(outcome))
        assert (type(copy), str(copy), copy.cause) == (type(outcome), str(outcome), None)
        assert copy.result.raw.startswith("Unpicklable: xxx") and len(copy.result.raw) <= 513
        assert copy.result.structured == RESULT.structured
        again = pickle.loads(pickle.dumps(error_of(outcome)))
        assert str(again) == str(outcome)
    plain = Mismatch("mismatch", (PROBLEM,), RESULT, value={"a": 1})
    assert pickle.loads(pickle.dumps(plain)) == plain
    asked = InputRequired(RESULT, {"city": {}}, "s", "t")
    assert pickle.loads(pickle.dumps(asked)) == asked


def test_an_error_has_the_fields_of_its_outcome() -> None:
    failed = ToolFailedError(ToolFailed(RESULT, "no", -1, error={"a": 1}))
    assert (failed.result, failed.code, failed.error) == (RESULT, -1, {"a": 1})
    mismatch = MismatchError(Mismatch("mismatch", (PROBLEM,), RESULT, value=5))
    assert (mismatch.result, mismatch.reason, mismatch.problems, mismatch.value) == (
        RESULT,
        "mismatch",
        (PROBLEM,),
        5,
    )
    changed = SchemaChanged(Mismatch("mismatch", (PROBLEM,), RESULT, changed="removed at #/a", tool="t"))
    assert changed.changed == "removed at #/a"
    assert str(changed) == "the schema of tool 't' has changed since it was bound: removed at #/a"
    assert SchemaChanged(Mismatch("mismatch", (), RESULT)).changed == ""


def test_the_value_of_an_outcome_is_its_value_or_its_error_raised_from_the_sdks() -> None:
    assert value_of(Ok(None)) is None
    cause = Unpicklable("gone")
    with pytest.raises(ToolFailedError) as caught:
        value_of(ToolFailed(RESULT, cause=cause))
    assert caught.value.__cause__ is cause
    with pytest.raises(InputRequiredError) as asked:
        value_of(InputRequired(RESULT))
    assert asked.value.__cause__ is None


def test_an_ok_needs_no_result() -> None:
    ok = Ok(5)
    assert (ok.source, ok.unwrapped, ok.problems, ok.result.structured) == ("structured", False, (), UNSET)
