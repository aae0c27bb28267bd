"""Results told apart by their shape."""

from mcp import ClientSession, types


def summary(result: types.CallToolResult) -> str:
    match result:
        case types.CallToolResult(isError=True):
            return "failed"
        case types.CallToolResult(structuredContent=None):
            return "text only"
        case _:
            return f"{len(result.structuredContent)} keys"


def kind(result: types.CallToolResult) -> str:
    content = result.structuredContent
    if isinstance(content, dict):
        return ", ".join(sorted(content))
    return "nothing structured"


async def main(session: ClientSession) -> object:
    out: list[str] = []
    for name in ("settings", "fail", "quiet"):
        result = await session.call_tool(name, {})
        out.append(summary(result))
        if not result.isError:
            out.append(kind(result))
    return out
