"""Results told apart by their shape."""

from mcp import ClientSession, types
from typedtool import expect_object, is_object


def summary(result: types.CallToolResult) -> str:
    match result:
        case types.CallToolResult(is_error=True):
            return "failed"
        case types.CallToolResult(structured_content=None):
            return "text only"
        case _:
            return f"{len(expect_object(result))} keys"


def kind(result: types.CallToolResult) -> str:
    content = result.structured_content
    if is_object(content):
        return ", ".join(sorted(content))
    return "nothing structured"


async def main(session: ClientSession) -> object:
    out: list[str] = []
    for name in ("settings", "fail", "quiet"):
        result = await session.call_tool(name, {})
        out.append(summary(result))
        if not result.is_error:
            out.append(kind(result))
    return out
