"""A server that answers in text: JSON is taken out of it by hand."""

import json

from mcp import ClientSession
from mcp.types import TextContent


async def report(session: ClientSession) -> str:
    result = await session.call_tool("report", {})
    block = result.content[0]
    assert isinstance(block, TextContent)
    data = json.loads(block.text)
    quantity = sum(line["qty"] * 1 for line in data["lines"])
    return data["title"].lower() + f": {quantity} pieces, {data['total']:.2f}"


async def main(session: ClientSession) -> object:
    return await report(session)
