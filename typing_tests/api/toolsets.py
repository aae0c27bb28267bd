"""`Toolset`: on the class a tool, on a bound set a `BoundTool`; inherited sets keep their own type."""

from __future__ import annotations

from typing import Union

from typing_extensions import assert_type

from models import Cat, Dog, Hour, Query
from typedtool import BoundTool, Caller, Outcome, Toolset, TypedTool


class Weather(Toolset):
    forecast = TypedTool[Query, list[Hour]]("hours")
    count = TypedTool[None, int]("count")


class Everything(Weather):
    pet = TypedTool[None, Union[Cat, Dog]]("pet")


LISTING = {
    "tools": [
        {"name": "hours", "inputSchema": {"type": "object"}},
        {"name": "count", "inputSchema": {"type": "object"}},
    ]
}


async def run(client: Caller) -> None:
    assert_type(Weather.forecast, TypedTool[Query, list[Hour]])
    assert_type(await Weather.forecast(client, Query()), list[Hour])
    weather = await Weather.bind(client)
    assert_type(weather, Weather)
    assert_type(weather.forecast, BoundTool[Query, list[Hour]])
    assert_type(weather.count, BoundTool[None, int])
    assert_type(await weather.forecast(Query()), list[Hour])
    assert_type(await weather.count(), int)
    assert_type(await weather.forecast.call(Query()), Outcome[list[Hour]])
    assert_type(await weather.count.call(timeout=5.0), Outcome[int])
    assert_type(weather.count.decode({"content": [], "structuredContent": 3}), int)
    everything = await Everything.bind(client, strict=False)
    assert_type(everything, Everything)
    assert_type(await everything.forecast(Query()), list[Hour])
    assert_type(await everything.pet(), Union[Cat, Dog])
    known = Weather.against(LISTING)
    assert_type(known, Weather)
    assert_type(known.count.decode({"content": [], "structuredContent": 3}), int)


async def refused(client: Caller, weather: Weather) -> None:
    await weather.forecast()  # E
    await weather.forecast("Paris")  # E
    await weather.forecast(client, Query())  # E
    await weather.count(Query())  # E
    await weather.pet()  # E
    await Weather.forecast(Query())  # E
    x: list[int] = await weather.forecast(Query())  # E
    y: str = await weather.count()  # E
    await Weather.bind()  # E
    await Weather.bind(client, strict="yes")  # E
    await Weather.bind("server")  # E
    z: Everything = await Weather.bind(client)  # E
