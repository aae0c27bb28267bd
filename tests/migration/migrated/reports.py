"""A server that answers in text: JSON is taken out of it by hand."""

from mcp import ClientSession
from mcp.types import TextContent
from msgspec import Struct
from typedtool import TypedTool


class ReportResultLinesItem(Struct):
    qty: int | float


class ReportResult(Struct):
    lines: list[ReportResultLinesItem]
    title: str
    total: int | float


report_tool = TypedTool[dict[str, object], ReportResult]("report")


async def report(session: ClientSession) -> str:
    result = await session.call_tool("report", {})
    block = result.content[0]
    assert isinstance(block, TextContent)
    data = report_tool.decode(result)
    quantity = sum(line.qty * 1 for line in data.lines)
    return data.title.lower() + f": {quantity} pieces, {data.total:.2f}"


async def main(session: ClientSession) -> object:
    return await report(session)
