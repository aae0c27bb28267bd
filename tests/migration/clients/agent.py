"""An agent loop: every page of tools, with their hints, for a model that may call only what is safe."""

from __future__ import annotations

from dataclasses import dataclass

from mcp import ClientSession
from mcp.types import Tool


@dataclass
class Offer:
    name: str
    safe: bool
    has_output: bool


def offer(tool: Tool) -> Offer:
    safe = bool(tool.annotations and tool.annotations.readOnlyHint and not tool.annotations.destructiveHint)
    return Offer(tool.name, safe, tool.outputSchema is not None)


async def all_tools(session: ClientSession) -> list[Tool]:
    found: list[Tool] = []
    page = await session.list_tools()
    found.extend(page.tools)
    while page.nextCursor:
        page = await session.list_tools(cursor=page.nextCursor)
        found.extend(page.tools)
    return found


async def main(session: ClientSession) -> object:
    offers = [offer(tool) for tool in await all_tools(session)]
    return [[o.name, o.safe, o.has_output] for o in offers]
