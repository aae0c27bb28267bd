"""Every error is a `TypedToolError`, and what it holds is typed."""

from __future__ import annotations

from typing import Optional

from typing_extensions import assert_type

from models import Hour, Query
from typedtool import (
    Block,
    Budget,
    BudgetExceeded,
    Caller,
    Incompatible,
    InputRequired,
    InputRequiredError,
    InvalidSchema,
    Mismatch,
    MismatchError,
    Problem,
    SchemaChanged,
    SchemaError,
    ToolFailed,
    ToolFailedError,
    ToolNotFound,
    ToolResult,
    TypedTool,
    TypedToolError,
    UnsafeSchema,
    UnsupportedDialect,
)

failing = TypedTool[Query, list[Hour]]("failing")
wrong = TypedTool[Query, list[Hour]]("count")


async def run(client: Caller) -> None:
    try:
        await failing(client, Query())
    except ToolFailedError as error:
        assert_type(error.outcome, ToolFailed)
        assert_type(error.result, ToolResult)
        assert_type(error.code, Optional[int])
        assert_type(error.error, object)
    else:
        raise AssertionError("a failing tool gave a value")
    try:
        await wrong(client, Query())
    except MismatchError as error:
        assert_type(error.outcome, Mismatch)
        assert_type(error.result, ToolResult)
        assert_type(error.problems, tuple[Problem, ...])
        assert_type(error.problems[0].path, str)
        assert_type(error.value, object)
    else:
        raise AssertionError("a number became a list")
    families: list[type[TypedToolError]] = [ToolFailedError, MismatchError, SchemaError, BudgetExceeded]
    families += [Incompatible, SchemaChanged, ToolNotFound, InputRequiredError]
    schema_errors: list[type[SchemaError]] = [InvalidSchema, UnsupportedDialect, UnsafeSchema]
    assert all(issubclass(error, TypedToolError) for error in [*families, *schema_errors])
    assert_type(Budget(depth=8).depth, int)
    result = ToolResult(({"type": "text", "text": "said"},))
    assert_type(result.content, tuple[Block, ...])
    assert_type(result.content[0].text, Optional[str])
    assert_type(result.text, str)


def refused(
    failed: ToolFailedError, mismatch: MismatchError, asked: InputRequiredError, result: ToolResult
) -> None:
    failed.nope  # E
    failed.error["used"]  # E
    mismatch.value["x"]  # E
    mismatch.problems[0].nope  # E
    a: Mismatch = failed.outcome  # E
    b: InputRequired = asked.outcome
    result.structured["x"]  # E
    result.structured = 1  # E
    result.content[0].text + ""  # E
    Budget(deep=1)  # E
    Budget(1)  # E
    Budget(depth="deep")  # E
