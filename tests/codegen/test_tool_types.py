"""The input and the output of a tool, the wrapper of `{"result": value}` included."""

from __future__ import annotations

from typing import Any

import pytest

from generated_modules import (
    decoded,
    obj,
    output_of,
    tool,
)
from typedtool import TypedTool
from typedtool.codegen import types_for


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (obj("result", result={"type": "integer"}), int),
        ({**obj("result", result={"type": "integer"}), "x-fastmcp-wrap-result": True}, int),
        ({**obj(result={"type": "integer"}), "x-fastmcp-wrap-result": True}, int),
        (obj("result", result={"type": "array", "items": {"type": "string"}}), list[str]),
    ],
)
def test_the_wrapper_is_generated_as_what_is_in_it(schema: Any, expected: Any) -> None:
    assert output_of(schema) == expected
    value = {"result": 5 if expected is int else ["a"]}
    bound = TypedTool.from_definition(tool(schema)).against(tool(schema))
    assert bound.decode({"content": [], "structuredContent": value}) == value["result"]


def test_what_only_looks_like_the_wrapper_is_an_object() -> None:
    assert decoded(obj(result={"type": "integer"}), {"result": 1}).result == 1
    assert decoded(obj("result", result={"type": "integer"}, more={}), {"result": 1}).result == 1


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "object"}, None),
        ({"type": "object", "properties": {}}, None),
        ({"type": "object", "properties": {}, "additionalProperties": False}, None),
        ({"type": "object", "additionalProperties": True}, dict[str, object]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, dict[str, int]),
    ],
)
def test_a_tool_without_arguments_takes_none(schema: Any, expected: Any) -> None:
    assert types_for({"name": "x", "inputSchema": schema})[0] == expected
