"""Modules from listings: complete, readable, and the same for the same listing."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from generated_modules import (
    WEATHER,
    imported,
    listing,
    tool,
)
from typedtool.codegen import ServerInfo, compile_listing, generate, types_for

EXPECTED = '''\
"""The tools of weather 1.2, typed. Made by typedtool: do not edit.

Listing: 3 tools
Digest: sha256:DIGEST
Command: typedtool generate
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from typedtool import Toolset, TypedTool

get_count = TypedTool[None, int]("get-count")


class GetWeatherForecastIn(Struct, kw_only=True, rename="camel"):
    location: Annotated[str, Meta(min_length=1)]
    hours_ahead: Annotated[int, Meta(ge=1, le=48)] | UnsetType = UNSET
    """Default 12."""


class GetWeatherForecastItem(Struct, kw_only=True):
    hour: str
    """Format date-time."""
    temp: float | None
    """In degrees Celsius"""
    conditions: Literal["sun", "rain"] | UnsetType = UNSET


get_weather_forecast = TypedTool[GetWeatherForecastIn, list[GetWeatherForecastItem]](
    "get-weather-forecast"
)
"""The forecast for a place,
hour by hour.
"""

shout = TypedTool[None, object]("shout")
"""The server declares no outputSchema."""


class WeatherTools(Toolset):
    """The tools of this module, bound by one listing."""

    get_count = get_count
    get_weather_forecast = get_weather_forecast
    shout = shout
'''


def test_a_module_reads_as_a_person_would_have_written_it() -> None:
    made = compile_listing(WEATHER)
    assert made.source == EXPECTED.replace("DIGEST", made.digest)


def test_the_same_listing_gives_the_same_bytes_whatever_its_order() -> None:
    chance = random.Random(3)

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            items = list(value.items())
            chance.shuffle(items)
            return {k: shuffled(v) for k, v in items}
        return [shuffled(v) for v in value] if isinstance(value, list) else value

    once = generate(WEATHER)
    for _ in range(10):
        again = shuffled(WEATHER)
        chance.shuffle(again["tools"])
        assert generate(again) == once


def test_the_tools_of_a_module_are_called_and_bound() -> None:
    module = imported(generate(WEATHER))
    bound = module.WeatherTools.against(WEATHER)
    assert not [f for f in bound.report if f.level == "error"]
    assert bound.get_count.decode({"content": [], "structuredContent": 3}) == 3
    sent = {"result": [{"hour": "2026-11-30T10:00:00Z", "temp": None}]}
    [hour] = bound.get_weather_forecast.decode({"content": [], "structuredContent": sent})
    assert (hour.temp, hour.conditions) == (None, msgspec.UNSET)
    assert msgspec.to_builtins(module.GetWeatherForecastIn(location="Paris", hours_ahead=3)) == {
        "location": "Paris",
        "hoursAhead": 3,
    }


def test_a_refused_schema_leaves_the_tool_in_the_module_and_the_others_as_they_are() -> None:
    made = compile_listing(
        listing(tool({"$ref": "file:///etc/passwd"}, name="bad"), tool({"type": "integer"}))
    )
    module = imported(made.source)
    assert (module.bad.input_type, module.bad.output_type) == (None, object)
    assert module.look_up.output_type is int
    assert [n.kind for n in made.notes if n.tool == "bad"] == ["refused"]
    assert "leads out of the document" in made.source
    input, _ = types_for({"name": "x", "inputSchema": {"type": 5}})
    assert input == dict[str, object]


def test_a_listing_may_come_as_a_response_or_as_its_entries() -> None:
    assert generate(WEATHER["tools"], server=ServerInfo("weather", "1.2")) == generate(WEATHER)
    with pytest.raises(TypeError):
        generate({"no": "tools"})


def test_only_some_tools_and_no_inputs() -> None:
    source = generate(WEATHER, only=lambda name: name.startswith("get"), inputs=False)
    assert "shout" not in source
    assert imported(source).get_weather_forecast.input_type == dict[str, object]


def test_a_tool_listed_twice_is_there_once_and_it_is_said() -> None:
    twice = [tool({"type": "integer"}), tool({"type": "string"})]
    made = compile_listing(listing(*twice))
    assert made.source == compile_listing(listing(*reversed(twice))).source
    assert [n.text for n in made.notes] == [
        "the server lists the tool twice, with different definitions: binding to it fails"
    ]
