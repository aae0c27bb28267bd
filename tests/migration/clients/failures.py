"""What a failed tool says is read too, and not by the rules for what a tool answers."""

from mcp import ClientSession
from mcp.types import CallToolResult


class ToolError(Exception):
    pass


def check(result: CallToolResult) -> CallToolResult:
    if result.isError:
        details = result.structuredContent or {}
        raise ToolError(str(details.get("code")))
    return result


async def main(session: ClientSession) -> object:
    out: list[str] = []
    for name in ("settings", "fail"):
        try:
            checked = check(await session.call_tool(name, {}))
            out.append(str(checked.structuredContent["tags"]))
        except ToolError as error:
            out.append(f"failed: {error}")
    return out
