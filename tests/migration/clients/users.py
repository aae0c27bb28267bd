"""Rows of a table: a list that the server wraps."""

from typing import Any, cast

from mcp import ClientSession


async def names(session: ClientSession) -> list[str]:
    result = await session.call_tool("list-users", {})
    rows = cast(dict[str, Any], result.structuredContent)["result"]
    return [row["name"].upper() for row in rows if row["id"] > 1]


async def first(session: ClientSession) -> str:
    result = await session.call_tool("list-users", {})
    data = result.structuredContent
    assert data is not None
    user = data["result"][0]
    return f"{user['id']:03d} {user['name']}"


async def total(session: ClientSession) -> int:
    result = await session.call_tool("count")
    number: int = result.structuredContent["result"]
    return number + 1


async def main(session: ClientSession) -> object:
    return [await names(session), await first(session), await total(session)]
