"""Helpers of one's own around the session: their annotations say what comes out of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from mcp import ClientSession

if TYPE_CHECKING:
    from mcp.types import CallToolResult


@asynccontextmanager
async def borrowed(session: ClientSession) -> AsyncIterator[ClientSession]:
    yield session


async def settings(session: ClientSession) -> CallToolResult:
    return await session.call_tool("settings", {})


class Api:
    def __init__(self, session: ClientSession) -> None:
        self._session = session
        self.last: CallToolResult | None = None

    async def ask(self, name: str) -> "CallToolResult":
        self.last = await self._session.call_tool(name, {})
        return self.last

    def theme(self) -> object:
        return self.last.structuredContent["theme"] if self.last else None


async def main(session: ClientSession) -> object:
    async with borrowed(session) as mine:
        one = await settings(mine)
        api = Api(mine)
        two = await api.ask("settings")
        init = await mine.list_tools()
        return [one.structuredContent["theme"], two.structuredContent.get("tags"), api.theme(), init.nextCursor]
