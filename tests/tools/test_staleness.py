"""A server that says that its tools changed: what is bound becomes stale, on a real client."""

from __future__ import annotations

from typing import Any

import anyio
import mcp
import pytest

from typedtool import Toolset, TypedTool
from typedtool.staleness import ListChanges

ENTRY = {
    "name": "f",
    "inputSchema": {"type": "object"},
    "outputSchema": {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]},
}


class Tools(Toolset):
    f = TypedTool[None, int]()


class Changed:
    method = "notifications/tools/list_changed"


class Wrapped:
    root = Changed()


@pytest.mark.parametrize("message", [Changed(), Wrapped()])
def test_a_notification_of_either_sdk_line_marks_what_is_watched(message: Any) -> None:
    seen: list[Any] = []

    async def mine(message: Any) -> None:
        seen.append(message)

    changes = ListChanges(then=mine)
    bound = changes.watch(TypedTool[None, int]("f").against(ENTRY))
    tools = changes.watch(Tools.against({"tools": [ENTRY]}))
    other = TypedTool[None, int]("f").against(ENTRY)

    async def run() -> None:
        await changes(ValueError("of the transport"))
        assert not bound.stale
        await changes(message)

    anyio.run(run)
    assert bound.stale and tools.f.stale and not other.stale
    assert len(seen) == 2 and seen[1] is message, "the user's own handler sees everything"


def test_only_what_is_bound_can_be_watched() -> None:
    with pytest.raises(TypeError, match="bound tool or a toolset"):
        ListChanges().watch(TypedTool[None, int]("f"))  # type: ignore[type-var]


def test_the_sdk_takes_it_as_its_message_handler() -> None:
    import inspect

    assert "message_handler" in inspect.signature(mcp.ClientSession.__init__).parameters
    assert inspect.iscoroutinefunction(ListChanges().__call__)
