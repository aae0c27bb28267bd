"""Structured content that may not be there: None, a default, a fallback."""

from __future__ import annotations

import logging
from typing import Any

from mcp import ClientSession
from mcp.types import CallToolResult

log = logging.getLogger(__name__)


def structured(result: CallToolResult) -> dict[str, Any] | None:
    return result.structuredContent


def theme(result: CallToolResult) -> str:
    data = result.structuredContent
    if data is None:
        log.debug("nothing structured in %s", result.content)
        return "none"
    return str(data.get("theme", "light"))


def depth(result: CallToolResult) -> object:
    return (result.structuredContent or {}).get("limits")


def tags(result: CallToolResult) -> str:
    if (found := result.structuredContent) is not None and "tags" in found:
        return str(found["tags"])
    return "no tags"


async def main(session: ClientSession) -> object:
    full = await session.call_tool("settings", {})
    empty = await session.call_tool("quiet", {})
    out: list[object] = []
    for result in (full, empty):
        settings = result.structuredContent or {}
        out.append([theme(result), depth(result), tags(result), structured(result), len(settings)])
    return out
