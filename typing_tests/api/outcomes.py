"""`call` and `read` give a closed union: a match over it is complete, or the checker says so."""

from __future__ import annotations

from typing import Literal, Optional, Union

from typing_extensions import assert_never, assert_type

from models import Hour, Query
from typedtool import (
    Caller,
    InputRequired,
    Mismatch,
    Ok,
    Outcome,
    Problem,
    ToolFailed,
    ToolResult,
    TypedTool,
)

forecast = TypedTool[Query, list[Hour]]("hours")
failing = TypedTool[Query, list[Hour]]("failing")


def told(outcome: Outcome[list[Hour]]) -> str:
    match outcome:
        case Ok(value=hours, source=source, unwrapped=unwrapped):
            assert_type(hours, list[Hour])
            assert_type(source, Literal["structured", "json-string", "text", "blocks", "empty"])
            assert_type(unwrapped, bool)
            return f"{len(hours)} hours"
        case ToolFailed(text=text, code=code):
            assert_type(text, str)
            assert_type(code, Optional[int])
            return text
        case Mismatch(problems=problems, changed=changed):
            assert_type(problems, tuple[Problem, ...])
            assert_type(changed, Optional[str])
            return str(outcome)
        case InputRequired():
            return outcome.message
        case _:
            assert_never(outcome)


def by_position(outcome: Outcome[list[Hour]]) -> int:
    match outcome:
        case Ok(hours):
            assert_type(hours, list[Hour])
            return len(hours)
        case ToolFailed() | Mismatch() | InputRequired():
            return 0


def by_isinstance(outcome: Outcome[list[Hour]]) -> list[Hour]:
    if isinstance(outcome, Ok):
        return outcome.value
    if isinstance(outcome, Mismatch):
        assert_type(outcome.value, object)
    assert_type(outcome.result, ToolResult)
    return []


async def run(client: Caller) -> None:
    outcome = await forecast.call(client, Query())
    assert_type(outcome, Union[Ok[list[Hour]], ToolFailed, Mismatch, InputRequired])
    assert told(outcome) == "1 hours"
    assert by_position(outcome) == 1
    assert by_isinstance(outcome) == [Hour(1, 2.5)]
    assert by_position(await failing.call(client, Query())) == 0
    assert told(await failing.call(client, Query())) == "no forecast today"


def incomplete(outcome: Outcome[list[Hour]]) -> str:
    match outcome:
        case Ok():
            return ""
        case ToolFailed():
            return ""
        case Mismatch():
            return ""
        case _:
            assert_never(outcome)  # E


def refused(outcome: Outcome[list[Hour]], ok: Ok[list[Hour]], mismatch: Mismatch) -> None:
    outcome.value  # E
    outcome["hour"]  # E
    ok.nope  # E
    ok.value[0].nope  # E
    ok.value = []  # E
    mismatch.reason = "missing"  # E
    x: Ok[list[int]] = ok  # E
    y: Literal["mismatch"] = mismatch.reason  # E
    z: list[Hour] = mismatch.value  # E
    wide: Ok[object] = ok
    wider: Outcome[object] = outcome
