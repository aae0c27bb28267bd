"""The way of one warm call: which functions of ours it goes through, in which modules. Run it to see the way.

python tests/tools/test_way.py
"""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections.abc import Awaitable, Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

import typedtool
from typedtool import TypedTool

SOURCE = str(Path(typedtool.__file__).parent)


class Query(Struct):
    city: str


class Hour(Struct):
    hour: str
    temp: float


HOURS = [{"hour": "1", "temp": 1.5}, {"hour": "2", "temp": 2.5}]
ITEM = {
    "type": "object",
    "properties": {"hour": {"type": "string"}, "temp": {"type": "number"}},
    "required": ["hour", "temp"],
}
DEFINITION = {
    "name": "forecast",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
    "outputSchema": {
        "type": "object",
        "properties": {"result": {"type": "array", "items": ITEM}},
        "required": ["result"],
    },
}


class Client:
    """As little as a client can be: what it costs is not ours."""

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        return {"content": [{"type": "text", "text": "[]"}], "structuredContent": {"result": HOURS}}

    async def list_tools(self, cursor: str | None = None) -> Any:
        return {"tools": [DEFINITION]}


def calls_of(call: Callable[[], Awaitable[Any]]) -> list[tuple[str, str]]:
    """The module and the name of each function of ours that a warm call calls, in order."""
    found: list[tuple[str, str]] = []

    def note(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(SOURCE):
            module = frame.f_code.co_filename[len(SOURCE) + 1 : -3].replace("/", ".")
            found.append((module, frame.f_code.co_name))

    async def third() -> None:
        await call()
        await call()
        sys.setprofile(note)
        try:
            await call()
        finally:
            sys.setprofile(None)

    before = sys.getprofile()
    try:
        asyncio.run(third())
    finally:
        sys.setprofile(before)
    return found


def ways() -> dict[str, list[tuple[str, str]]]:
    tool, client = TypedTool("forecast", Query, list[Hour]), Client()
    bound = asyncio.run(tool.bind(client))
    query = Query("Paris")
    return {
        "await tool(client, input)": calls_of(lambda: tool(client, query)),
        "await bound(input)": calls_of(lambda: bound(query)),
    }


def stations(way: list[tuple[str, str]]) -> list[str]:
    """The modules in the order in which they are entered: each change of module is one more."""
    return [module for module, _ in groupby(module for module, _ in way)]


WAYS = ways()


MOST = {"await tool(client, input)": (8, 9), "await bound(input)": (10, 12)}


@pytest.mark.parametrize(("name", "most"), MOST.items())
def test_a_call_goes_through_few_modules(name: str, most: tuple[int, int]) -> None:
    modules, changes = most
    entered = stations(WAYS[name])
    assert len(set(entered)) <= modules, entered
    assert len(entered) - 1 <= changes, entered
    assert len({module.partition(".")[0] for module in entered}) <= 6, "rooms"


def test_a_result_passes_each_room_once_on_its_way_down() -> None:
    way = stations(WAYS["await bound(input)"])
    rooms = [room for room, _ in groupby(module.partition(".")[0] for module in way)]
    answer = rooms[rooms.index("clients") :]
    assert answer == ["clients", "tools", "results", "decoding", "types", "decoding", "results"]


def test_a_plain_call_is_a_few_calls_of_ours() -> None:
    for name, way in WAYS.items():
        assert len(way) <= 44, (name, way)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, way in WAYS.items():
        entered = stations(way)
        print(f"{name}: {len(way)} calls of {len(set(way))} functions in {len(set(entered))} modules,")
        print(f"  {len(entered) - 1} changes of module: {' > '.join(entered)}")
