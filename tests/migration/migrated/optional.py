"""Structured content that may not be there: None, a default, a fallback."""

from __future__ import annotations

import logging
from typing import Any

from mcp import ClientSession
from mcp.types import CallToolResult
from typedtool import expect_object

log = logging.getLogger(__name__)


def structured(result: CallToolResult) -> dict[str, Any] | None:
    return expect_object(result) if result.structured_content is not None else None


def theme(result: CallToolResult) -> str:
    data = expect_object(result) if result.structured_content is not None else None
    if data is None:
        log.debug("nothing structured in %s", result.content)
        return "none"
    return str(data.get("theme", "light"))


def depth(result: CallToolResult) -> object:
    return (expect_object(result) if result.structured_content is not None else {}).get("limits")


def tags(result: CallToolResult) -> str:
    if (found := expect_object(result) if result.structured_content is not None else None) is not None and "tags" in found:
        return str(found["tags"])
    return "no tags"


async def main(session: ClientSession) -> object:
    full = await session.call_tool("settings", {})
    empty = await session.call_tool("quiet", {})
    out: list[object] = []
    for result in (full, empty):
        settings = expect_object(result) if result.structured_content is not None else {}
        out.append([theme(result), depth(result), tags(result), structured(result), len(settings)])
    return out
