"""Calls with a timeout and one more try: errors by name, times as timedelta."""

import asyncio
from datetime import timedelta

from mcp import ClientSession, McpError
from mcp.types import CallToolResult

TIMEOUT = timedelta(seconds=20)


async def call(session: ClientSession, name: str, timeout: timedelta | None = None) -> CallToolResult:
    for attempt in range(2):
        try:
            return await session.call_tool(name, {}, read_timeout_seconds=timeout or TIMEOUT)
        except McpError as error:
            if attempt or error.error.code != -32602:
                raise
            await asyncio.sleep(0)
    raise AssertionError("not reached")


async def quickly(session: ClientSession, wait: timedelta | None = None) -> object:
    result = await session.call_tool("settings", {}, read_timeout_seconds=timedelta(seconds=15))
    again = await session.call_tool("settings", {}, read_timeout_seconds=wait)
    slow = await session.call_tool("settings", {}, read_timeout_seconds=TIMEOUT)
    return [result.structuredContent["theme"], again.structuredContent["theme"], slow.isError]


async def main(session: ClientSession) -> object:
    try:
        await call(session, "gone")
    except McpError as error:
        return [error.error.code, await quickly(session)]
    return "no error"
