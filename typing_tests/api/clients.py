"""The SDK's sessions are callers; what has no `call_tool` is none."""

from __future__ import annotations

from mcp import ClientSession
from typing_extensions import assert_type

from models import Hour, Query
from typedtool import Caller, Toolset, TypedTool

forecast = TypedTool[Query, list[Hour]]("hours")


class Weather(Toolset):
    forecast = TypedTool[Query, list[Hour]]("hours")


async def with_session(session: ClientSession) -> None:
    caller: Caller = session
    assert_type(await forecast(session, Query()), list[Hour])
    assert_type(await (await forecast.bind(session))(Query()), list[Hour])
    assert_type(await (await Weather.bind(session)).forecast(Query()), list[Hour])


async def run(client: Caller) -> None:
    assert_type(await forecast(client, Query()), list[Hour])


async def refused(session: ClientSession) -> None:
    await forecast(object(), Query())  # E
    await forecast(ClientSession, Query())  # E
    await forecast(session.call_tool, Query())  # E
    await Weather.bind(object())  # E
    x: Caller = 1  # E
