"""The forecast tool that the tests of `tools` share: its types, a result, and running it against a real server."""

from __future__ import annotations

import pathlib
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from msgspec import UNSET, Struct, UnsetType

from connecting import connect, logged
from connecting import tool as listed


class Query(Struct, rename="camel"):
    place_name: str
    unit: str | UnsetType = UNSET
    days: int = 1


class Hour(Struct):
    hour: str
    temp: float


HOURS = {"content": [], "structuredContent": [{"hour": "1", "temp": 2}]}


def calls(
    run: Callable[[Any], Awaitable[Any]], tmp_path: pathlib.Path, *tools: dict[str, Any], answer: Any = None
) -> list[Any]:
    """What `run(client)` sends as the arguments of its calls."""
    log = tmp_path / "log"
    answers = {"f": answer or {"result": HOURS}}
    script = {"tools": list(tools) or [listed("f")], "answers": answers, "log": str(log)}

    async def connected() -> None:
        async with connect("Client", script, protocol="2026-07-28") as client:
            await run(client)

    anyio.run(connected)
    return [params.get("arguments") for params in logged(log, "tools/call")]


def live(
    kind: str, script: dict[str, Any], run: Callable[[Any], Awaitable[None]], protocol: str = "2026-07-28"
) -> None:
    async def connected() -> None:
        async with connect(kind, script, protocol=protocol) as client:
            await run(client)

    anyio.run(connected)
