"""What a failed tool says is read too, and not by the rules for what a tool answers."""

from mcp import ClientSession
from mcp.types import CallToolResult
from typedtool import expect_object, is_object


class ToolError(Exception):
    pass


def check(result: CallToolResult) -> CallToolResult:
    if result.is_error:
        details = result.structured_content if is_object(result.structured_content) else {}
        raise ToolError(str(details.get("code")))
    return result


async def main(session: ClientSession) -> object:
    out: list[str] = []
    for name in ("settings", "fail"):
        try:
            checked = check(await session.call_tool(name, {}))
            out.append(str(expect_object(checked)["tags"]))
        except ToolError as error:
            out.append(f"failed: {error}")
    return out
