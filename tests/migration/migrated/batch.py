"""Many calls at once, their results side by side."""

import asyncio
from collections import Counter

from mcp import ClientSession
from typedtool import expect_object

CITIES = ["Paris", "Lyon", "Nice"]


async def conditions(session: ClientSession) -> dict[str, int]:
    results = await asyncio.gather(*[session.call_tool("get-weather", {"city": c}) for c in CITIES])
    return dict(Counter(str(expect_object(r)["conditions"]) for r in results if not r.is_error))


async def keys(session: ClientSession) -> list[str]:
    first, second = await asyncio.gather(
        session.call_tool("settings", {}),
        session.call_tool("get-weather", {"city": "Paris"}),
    )
    merged = {**expect_object(first), **expect_object(second)}
    return sorted(merged)


async def main(session: ClientSession) -> object:
    return [await conditions(session), await keys(session)]
