"""A hostile schema on a live server: typedtool never holds the event loop for longer than the budget; the SDK does."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from msgspec import Struct

from calibration import work_seconds
from connecting import connect, tool
from typedtool import Budget, Mismatch, Toolset, TypedTool

SCHEMA = {"type": "object", "properties": {"v": {"type": "string", "pattern": "^(a+)+$"}}, "required": ["v"]}
VALUE = "a" * 27 + "!"  # a backtracking engine tries 2**27 ways to match it
SCRIPT = {
    "tools": [tool("f", SCHEMA)],
    "answers": {"f": {"result": {"content": [], "structuredContent": {"v": VALUE}}}},
}
SLACK = 75
"""Units of work (calibration.py) that may pass between two looks at the deadline."""


class Value(Struct):
    v: str


async def longest_wait(call: Callable[[Any], Awaitable[None]]) -> float:
    """The longest that the loop's thread computed without another task's turn, while `call(client)` ran: seconds of the
    processor.
    """
    gaps: list[float] = []

    async def tick() -> None:
        last = time.thread_time()
        while True:
            await anyio.sleep(0.005)
            now = time.thread_time()
            gaps.append(now - last)
            last = now

    async with connect("Client", SCRIPT, protocol="2026-07-28") as client, anyio.create_task_group() as tasks:
        tasks.start_soon(tick)
        await anyio.sleep(0.05)
        gaps.clear()
        await call(client)
        await anyio.sleep(0.02)
        tasks.cancel_scope.cancel()
    return max(gaps)


def test_a_hostile_pattern_holds_the_loop_for_no_longer_than_the_budget() -> None:
    async def call(client: Any) -> None:
        bound = await TypedTool[None, Value]("f").bind(client)
        outcome = await bound.call()
        assert isinstance(outcome, Mismatch)
        assert outcome.value == Value(VALUE)

    assert anyio.run(longest_wait, call) < Budget().seconds + SLACK * work_seconds()


def test_the_sdks_own_client_fails_the_same_test() -> None:
    pytest.importorskip("mcp_types", reason="the validator of SDK 2.x")

    async def call(client: Any) -> None:
        await client.list_tools()
        with pytest.raises(RuntimeError, match="Invalid structured content"):
            await client.call_tool("f", {})

    assert anyio.run(longest_wait, call) > Budget().seconds + SLACK * work_seconds()


class One(Toolset):
    f = TypedTool[None, int]("f")


def test_a_tool_bound_from_a_listing_of_1000_costs_nothing_for_the_other_999(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import typedtool.tools.binding

    parsed: list[str] = []
    original = typedtool.tools.binding.parse_schema

    def counting(schema: Any, *args: Any, **options: Any) -> Any:
        parsed.append(options["tool"])
        return original(schema, *args, **options)

    monkeypatch.setattr(typedtool.tools.binding, "parse_schema", counting)
    others = [
        {"name": f"other{i}", "inputSchema": {"type": "nonsense"}, "outputSchema": {"$ref": "#/nowhere"}}
        for i in range(999)
    ]
    tools = One.against(
        {
            "tools": [
                *others,
                {"name": "f", "inputSchema": {"type": "object"}, "outputSchema": {"type": "integer"}},
            ]
        }
    )
    assert tools.f.decode({"content": [], "structuredContent": 5}) == 5
    assert set(parsed) == {"f"}
    assert len(tools.report) == 0
