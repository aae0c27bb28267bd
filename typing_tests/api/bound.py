"""`bind` and `against`: a `BoundTool[In, Out]` that needs no client any more."""

from __future__ import annotations

from typing_extensions import assert_type

from models import Hour, Query
from typedtool import BoundTool, Caller, Outcome, TypedTool

forecast = TypedTool[Query, list[Hour]]("hours")
count = TypedTool[None, int]("count")

DEFINITION: object = {"name": "hours", "inputSchema": {"type": "object"}}
ANSWER: object = {"content": [], "structuredContent": [{"hour": 1, "temp": 2.5}]}


async def widened(bound: BoundTool[Query, object]) -> object:
    return await bound(Query())


async def run(client: Caller) -> None:
    bound = await forecast.bind(client)
    assert_type(bound, BoundTool[Query, list[Hour]])
    assert_type(await bound(Query()), list[Hour])
    assert_type(await bound.call(Query()), Outcome[list[Hour]])
    assert_type(await bound.call(Query(), timeout=5.0, meta={"trace": "1"}), Outcome[list[Hour]])
    assert_type(bound.decode(ANSWER), list[Hour])
    assert_type(bound.read(ANSWER), Outcome[list[Hour]])
    counted = await count.bind(client, strict=False)
    assert_type(counted, BoundTool[None, int])
    assert_type(await counted(), int)
    assert_type(await counted.call(), Outcome[int])
    known = forecast.against(DEFINITION)
    assert_type(known, BoundTool[Query, list[Hour]])
    assert_type(known.decode(ANSWER), list[Hour])
    assert_type(await widened(bound), object)


async def refused(client: Caller, bound: BoundTool[Query, list[Hour]], counted: BoundTool[None, int]) -> None:
    await bound()  # E
    await bound(Hour(1, 2.0))  # E
    await bound(client, Query())  # E
    await bound.call()  # E
    await bound.call(Query(), timeout="soon")  # E
    await counted(Query())  # E
    x: list[str] = await bound(Query())  # E
    y: BoundTool[Query, list[str]] = bound  # E
    await forecast.bind()  # E
    await forecast.bind(client, strict=1)  # E
    forecast.against()  # E
