"""Decoding flat objects from structured content, as ratios to bare `msgspec.convert`.

    python tests/bench/bench_decoding.py

Where FastMCP 4 is installed, its hydration is one of the contenders.
"""

from __future__ import annotations

import importlib.util
import json
from typing import Any, Optional

import anyio
import msgspec
import pydantic

from interleaved import Contender, ratios, table
from typedtool import TypedTool


class Row(msgspec.Struct):
    id: int
    name: str
    score: float
    active: bool
    parent: Optional[int]
    tags: list[str]


class Model(pydantic.BaseModel):
    id: int
    name: str
    score: float
    active: bool
    parent: Optional[int]
    tags: list[str]


ITEM = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string"},
        "score": {"type": "number"},
        "active": {"type": "boolean"},
        "parent": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["id", "name", "score", "active", "parent", "tags"],
}
SCHEMA = {
    "type": "object",
    "properties": {"result": {"type": "array", "items": ITEM}},
    "required": ["result"],
}


def rows(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": i,
            "name": f"row {i}",
            "score": i * 1.5,
            "active": i % 2 == 0,
            "parent": i or None,
            "tags": ["a", "b"],
        }
        for i in range(count)
    ]


def sdk_validation(value: Any) -> Contender:
    """What SDK 2.x does to the result: its own validator, made once, as it keeps it."""
    import mcp_types
    from mcp import ClientSession

    result = mcp_types.CallToolResult(content=[], structured_content=value)
    send, receive = anyio.create_memory_object_stream[Any](1)
    session = ClientSession(receive, send)
    session._tool_output_schemas["t"] = SCHEMA
    send.close()
    receive.close()

    def run() -> None:
        coroutine = session.validate_tool_result("t", result)
        try:
            coroutine.send(None)  # it never waits where the schema is known
        except StopIteration:
            return
        raise AssertionError("the SDK listed the tools")

    return run


def fastmcp_hydration(value: Any) -> Contender:
    from fastmcp.utilities.json_schema_type import json_schema_to_type

    adapter = pydantic.TypeAdapter(json_schema_to_type(SCHEMA))
    return lambda: adapter.validate_python(value)


def contenders(count: int) -> dict[str, Contender]:
    import mcp_types

    plain = rows(count)
    wrapped = {"result": plain}
    content = [mcp_types.TextContent(type="text", text=json.dumps(plain))]
    bare = mcp_types.CallToolResult(content=content, structured_content=plain)
    result = mcp_types.CallToolResult(content=content, structured_content=wrapped)
    tool = TypedTool[None, list[Row]]("t")
    unbound = TypedTool[None, list[Row]]("t", validate="off").against({"name": "t", "outputSchema": SCHEMA})
    bound = tool.against({"name": "t", "outputSchema": SCHEMA})
    adapter = pydantic.TypeAdapter(list[Model])
    found: dict[str, Contender] = {
        "msgspec.convert": lambda: msgspec.convert(plain, list[Row]),
        "typedtool decode": lambda: tool.decode(bare),
        "typedtool decode, unwrapped": lambda: unbound.decode(result),
        "typedtool decode, held to the schema": lambda: bound.decode(result),
        "pydantic validate_python": lambda: adapter.validate_python(plain),
    }
    if importlib.util.find_spec("fastmcp"):
        found["FastMCP hydration"] = fastmcp_hydration(wrapped)
    if count <= 1_000:
        found["SDK validate_tool_result"] = sdk_validation(wrapped)
    return found


def main() -> None:
    for count in (3, 100, 1_000, 10_000):
        print(table(f"{count} objects", ratios(contenders(count), rounds=21)))


if __name__ == "__main__":
    main()
