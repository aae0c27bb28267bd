"""A gateway: results are read, checked and made anew for somebody else."""

from typing import Any

from mcp import ClientSession
from mcp.types import CallToolResult, ImageContent, TextContent
from typedtool import expect_object


def describe(result: CallToolResult) -> dict[str, Any]:
    kinds = []
    for block in result.content:
        if isinstance(block, ImageContent):
            kinds.append(block.mime_type)
        else:
            kinds.append(block.type)
    return {"failed": result.is_error, "kinds": kinds, "structured": getattr(result, "structured_content", None)}


def redacted(result: CallToolResult) -> CallToolResult:
    if result.is_error:
        return result
    kept = {key: "***" for key in expect_object(result)} if "theme" in expect_object(result) else {}
    return CallToolResult(
        content=[TextContent(type="text", text="redacted")],
        structured_content=kept,  # only the keys
        is_error=False,
    )


async def main(session: ClientSession) -> object:
    picture = await session.call_tool("picture", {})
    settings = await session.call_tool("settings", {})
    failed = await session.call_tool("fail", {})
    return [describe(picture), describe(redacted(settings)), describe(failed)]
