"""Types at run time: those that the generated module would define."""

from __future__ import annotations

from generated_modules import (
    WEATHER,
    imported,
    structure,
)
from typedtool import TypedTool
from typedtool.codegen import generate, types_for


def test_types_at_run_time_are_those_of_the_module() -> None:
    module = imported(generate(WEATHER))
    for entry, made in zip(WEATHER["tools"], (module.get_weather_forecast, module.get_count, module.shout)):
        input, output = types_for(entry)
        assert structure(output) == structure(made.output_type)
        assert (input is None) == (made.input_type is None)
        assert input is None or structure(input) == structure(made.input_type)


def test_a_tool_is_made_from_its_definition() -> None:
    made = TypedTool.from_definition(WEATHER["tools"][0])
    [hour] = made.decode({"content": [], "structuredContent": {"result": [{"hour": "10", "temp": 1}]}})
    assert (made.name, hour.temp) == ("get-weather-forecast", 1.0)
