# not for: mypy115 -- TypeForm needs mypy 2.2; before, the brackets are the way
"""`tool("name", In, Out)`: called with an `In`, or with what makes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from typing_extensions import assert_type

from models import Cat, Dog, FieldQuery, Hour, Page, Pet, Query
from typedtool import Caller, FieldsTool, Outcome, Toolset, TypedTool, tool


@dataclass
class DataQuery:
    city: str
    days: int = 1


keywords = tool("hours", FieldQuery, list[Hour])
positions = tool("hour", Query, Optional[Hour])
generic = tool("pet", Page[int], Pet)
from_dataclass = tool("nothing", DataQuery, None)
no_input = tool("by-name", None, dict[str, Hour])

plain: TypedTool[FieldQuery, list[Hour]] = keywords
with_fields: FieldsTool[..., FieldQuery, list[Hour]] = keywords


class Weather(Toolset):
    keywords = tool("hours", FieldQuery, list[Hour])
    positions = tool("hour", Query, Optional[Hour])
    no_input = tool("by-name", None, dict[str, Hour])


async def run(client: Caller) -> None:
    assert_type(await keywords(client, city="Paris"), list[Hour])
    assert_type(await keywords(client, city="Paris", days=2), list[Hour])
    assert_type(await keywords(client, FieldQuery(city="Paris")), list[Hour])
    assert_type(await keywords.call(client, FieldQuery(city="Paris")), Outcome[list[Hour]])
    assert_type(await positions(client, "Paris", 3), Optional[Hour])
    assert_type(await positions(client, Query("Paris", 3)), Optional[Hour])
    assert_type(await generic(client, item=3), Union[Cat, Dog])
    assert_type(await generic(client, Page(item=3)), Union[Cat, Dog])
    assert_type(await no_input(client), dict[str, Hour])
    assert_type(await from_dataclass(client, city=""), None)


async def run_bound(client: Caller) -> None:
    weather = await Weather.bind(client)
    assert_type(await weather.keywords(city="Paris"), list[Hour])
    assert_type(await weather.keywords(FieldQuery(city="Paris")), list[Hour])
    assert_type(await weather.positions("Paris"), Optional[Hour])
    assert_type(await weather.no_input(), dict[str, Hour])
    bound = await keywords.bind(client)
    assert_type(await bound(city="Paris"), list[Hour])
    assert_type(await bound(FieldQuery(city="Paris")), list[Hour])
    assert_type(await bound.call(FieldQuery(city="Paris")), Outcome[list[Hour]])


async def refused(client: Caller, weather: Weather) -> None:
    await keywords(client)  # E
    await keywords(client, town="Paris")  # E
    await keywords(client, city=1)  # E
    await keywords(client, "Paris")  # E
    await keywords(client, Query())  # E
    await positions(client, 1)  # E
    await generic(client, item="3")  # E
    await no_input(client, city="Paris")  # E
    await weather.keywords()  # E
    await weather.keywords(city=1)  # E
    await weather.no_input(1)  # E
    await (await keywords.bind(client))(town="Paris")  # E
    tool("x", FieldQuery)  # E
    tool("x", 1, Hour)  # E
    tool("x", FieldQuery, 1)  # E
