"""Many calls at once, their results side by side."""

import asyncio
from collections import Counter

from mcp import ClientSession

CITIES = ["Paris", "Lyon", "Nice"]


async def conditions(session: ClientSession) -> dict[str, int]:
    results = await asyncio.gather(*[session.call_tool("get-weather", {"city": c}) for c in CITIES])
    return dict(Counter(str(r.structuredContent["conditions"]) for r in results if not r.isError))


async def keys(session: ClientSession) -> list[str]:
    first, second = await asyncio.gather(
        session.call_tool("settings", {}),
        session.call_tool("get-weather", {"city": "Paris"}),
    )
    merged = {**first.structuredContent, **second.structuredContent}
    return sorted(merged)


async def main(session: ClientSession) -> object:
    return [await conditions(session), await keys(session)]
