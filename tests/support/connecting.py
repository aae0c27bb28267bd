"""Connections for tests: each client of the SDK that is installed, to servers/scripted.py."""

from __future__ import annotations

import asyncio
import importlib
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mcp
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SERVERS = Path(__file__).parents[1] / "servers"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"

SDK1 = find_spec("mcp_types") is None
"""mcp 1.x is installed."""

DRIVING = (*(() if SDK1 else ("Client",)), *(("FastMCP",) if find_spec("fastmcp") else ()))
"""The clients that answer an input_required themselves."""

KINDS = ("ClientSession", *DRIVING)
NEWEST_LEGACY: str = importlib.import_module("mcp.types").LATEST_PROTOCOL_VERSION if SDK1 else "2025-11-25"
"""The newest protocol of the 2025 era that the SDK speaks."""

ERAS = (NEWEST_LEGACY,) if SDK1 else (NEWEST_LEGACY, MODERN)
McpError: type[Exception] = mcp.McpError if SDK1 else mcp.MCPError  # type: ignore[attr-defined]
ANY: dict[str, Any] = {"type": "object"}

Message = dict[str, Any]
Wrap = Callable[[Any], Any]
Answer = Callable[[], Awaitable[Message]]
"""What the user says to an elicitation."""


def text(said: str) -> Message:
    return {"content": [{"type": "text", "text": said}]}


def tool(name: str, output: object = None, **more: object) -> Message:
    return {"name": name, "inputSchema": ANY, **({} if output is None else {"outputSchema": output}), **more}


def as_is(transport: Any) -> Any:
    return transport


@asynccontextmanager
async def connect(
    kind: str,
    script: Message,
    protocol: str = NEWEST_LEGACY,
    wrap: Wrap = as_is,
    elicit: Answer | None = None,
) -> AsyncIterator[Any]:
    """A connected client of `kind` to a server that follows `script` and speaks `protocol`.

    Skips the test where the installed SDK has no such client or does not speak the protocol.
    """
    _skip_what_the_sdk_cannot(kind, protocol)
    # -I and -S: the server starts in half the time.
    arguments = ["-I", "-S", str(SERVERS / "scripted.py"), json.dumps({"protocols": [protocol], **script})]
    if kind == "FastMCP":
        async with _fastmcp(arguments, wrap, elicit) as client:
            yield client
        return
    transport = stdio_client(StdioServerParameters(command=sys.executable, args=arguments))
    options = {} if elicit is None else {"elicitation_callback": _sdk_callback(elicit)}
    if kind == "Client":
        mode = "legacy" if protocol in LEGACY else protocol
        async with mcp.Client(wrap(transport), mode=mode, **options) as client:
            yield client
        return
    async with transport as streams, ClientSession(*wrap(streams), **options) as session:
        if protocol in LEGACY:
            await session.initialize()
        else:
            await session.discover()
        yield session


@asynccontextmanager
async def _fastmcp(arguments: list[str], wrap: Wrap, elicit: Answer | None) -> AsyncIterator[Any]:
    import fastmcp
    from fastmcp.client.elicitation import ElicitResult
    from fastmcp.client.transports import StdioTransport

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pytest.skip("FastMCP runs on asyncio only")

    async def handler(*_: object) -> Any:
        assert elicit is not None
        return ElicitResult(action="accept", content=await elicit())

    options = {} if elicit is None else {"elicitation_handler": handler}
    transport = StdioTransport(sys.executable, arguments, keep_alive=False)
    async with fastmcp.Client(wrap(transport), **options) as client:
        yield client


def _skip_what_the_sdk_cannot(kind: str, protocol: str) -> None:
    if kind == "Client" and SDK1:
        pytest.skip("needs mcp.Client, of SDK 2.x")
    if SDK1 and protocol > NEWEST_LEGACY:
        pytest.skip(f"this SDK does not speak {protocol}")


@asynccontextmanager
async def connect_http(kind: str, script: Message, wrap: Wrap = as_is) -> AsyncIterator[Any]:
    """The same over streamable HTTP, on 2025-11-25."""
    _skip_what_the_sdk_cannot(kind, "2025-11-25")
    command = [sys.executable, str(SERVERS / "scripted_http.py"), json.dumps(script)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None and server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/mcp"
        try:
            async with _connected_http(kind, url, wrap) as client:
                yield client
        finally:
            server.stdin.close()


@asynccontextmanager
async def _connected_http(kind: str, url: str, wrap: Wrap) -> AsyncIterator[Any]:
    module: Any = importlib.import_module("mcp.client.streamable_http")
    # of mcp 1.10, the older name
    streamable_http_client = getattr(module, "streamable_http_client", None) or module.streamablehttp_client
    if kind == "FastMCP":
        import fastmcp
        from fastmcp.client.transports import StreamableHttpTransport

        async with fastmcp.Client(wrap(StreamableHttpTransport(url))) as client:
            yield client
    elif kind == "Client":
        async with mcp.Client(wrap(streamable_http_client(url)), mode="legacy") as client:
            yield client
    else:
        async with streamable_http_client(url) as streams, ClientSession(*wrap(streams)[:2]) as session:
            await session.initialize()
            yield session


def _sdk_callback(elicit: Answer) -> Any:
    async def callback(context: object, params: object) -> Any:
        if SDK1:
            from mcp.types import ElicitResult
        else:
            from mcp_types import ElicitResult
        return ElicitResult(action="accept", content=await elicit())

    return callback


def logged(path: Path, method: str) -> list[Message]:
    """The params of each message of this method that the scripted server has logged."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [m.get("params") or {} for m in map(json.loads, lines) if m.get("method") == method]
