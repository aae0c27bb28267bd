"""`generate` and `from_definition`: bindings as source, and at run time."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

from typedtool import Caller, TypedTool
from typedtool.codegen import generate

LISTING = {
    "tools": [{"name": "count", "inputSchema": {"type": "object"}, "outputSchema": {"type": "integer"}}]
}


async def run(client: Caller) -> None:
    assert_type(generate(LISTING), str)
    tool = TypedTool.from_definition(LISTING["tools"][0])
    assert_type(tool, TypedTool[Any, Any])
    assert_type(tool.decode({"content": [], "structuredContent": 3}), Any)


def refused() -> None:
    generate()  # E
    generate(LISTING).nope  # E
    TypedTool.from_definition()  # E
