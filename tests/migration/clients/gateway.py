"""A gateway: results are read, checked and made anew for somebody else."""

from typing import Any

from mcp import ClientSession
from mcp.types import CallToolResult, ImageContent, TextContent


def describe(result: CallToolResult) -> dict[str, Any]:
    kinds = []
    for block in result.content:
        if isinstance(block, ImageContent):
            kinds.append(block.mimeType)
        else:
            kinds.append(block.type)
    return {"failed": result.isError, "kinds": kinds, "structured": getattr(result, "structuredContent", None)}


def redacted(result: CallToolResult) -> CallToolResult:
    if result.isError:
        return result
    kept = {key: "***" for key in result.structuredContent} if "theme" in result.structuredContent else {}
    return CallToolResult(
        content=[TextContent(type="text", text="redacted")],
        structuredContent=kept,  # only the keys
        isError=False,
    )


async def main(session: ClientSession) -> object:
    picture = await session.call_tool("picture", {})
    settings = await session.call_tool("settings", {})
    failed = await session.call_tool("fail", {})
    return [describe(picture), describe(redacted(settings)), describe(failed)]
