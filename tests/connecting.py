"""Connections for tests: the clients of the SDK that is installed, to servers/scripted.py."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SERVERS = Path(__file__).parent / "servers"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
KINDS = ("Client", "ClientSession")
ANY: dict[str, Any] = {"type": "object"}

Message = dict[str, Any]
Wrap = Callable[[Any], Any]


def text(said: str) -> Message:
    return {"content": [{"type": "text", "text": said}]}


def tool(name: str, output: object = None, **more: object) -> Message:
    return {"name": name, "inputSchema": ANY, **({} if output is None else {"outputSchema": output}), **more}


def as_is(transport: Any) -> Any:
    return transport


@asynccontextmanager
async def connect(
    kind: str, script: Message, protocol: str = "2025-11-25", wrap: Wrap = as_is, **options: Any
) -> AsyncIterator[Any]:
    """A connected client of `kind` to a server that follows `script` and speaks `protocol`."""
    text = json.dumps({"protocols": [protocol], **script})
    transport = stdio_client(
        StdioServerParameters(command=sys.executable, args=[str(SERVERS / "scripted.py"), text])
    )
    if kind == "Client":
        mode = "legacy" if protocol in LEGACY else protocol
        async with Client(wrap(transport), mode=mode, **options) as client:
            yield client
        return
    async with transport as streams, ClientSession(*wrap(streams), **options) as session:
        if protocol in LEGACY:
            await session.initialize()
        else:
            await session.discover()
        yield session


def logged(path: Path, method: str) -> list[Message]:
    """The params of each message of this method that the scripted server has logged."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [m.get("params") or {} for m in map(json.loads, lines) if m.get("method") == method]
