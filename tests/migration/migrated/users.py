"""Rows of a table: a list that the server wraps."""

from mcp import ClientSession
from msgspec import Struct
from typedtool import TypedTool


class ListUsersResultItem(Struct):
    name: str
    id: int


list_users = TypedTool[dict[str, object], list[ListUsersResultItem]]("list-users")
count = TypedTool[None, int]("count")


async def names(session: ClientSession) -> list[str]:
    result = await session.call_tool("list-users", {})
    rows = list_users.decode(result)
    return [row.name.upper() for row in rows if row.id > 1]


async def first(session: ClientSession) -> str:
    result = await session.call_tool("list-users", {})
    data = list_users.decode(result)
    assert data is not None
    user = data[0]
    return f"{user.id:03d} {user.name}"


async def total(session: ClientSession) -> int:
    result = await session.call_tool("count")
    number: int = count.decode(result)
    return number + 1


async def main(session: ClientSession) -> object:
    return [await names(session), await first(session), await total(session)]
