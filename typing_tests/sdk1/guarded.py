"""The same uses behind a guard, or decoded: nothing to report, and they run."""

from __future__ import annotations

import json
from typing import Any, cast

from mcp.types import CallToolResult
from msgspec import Struct
from typing_extensions import assert_type

from typedtool import (
    Decoder,
    Ok,
    decode,
    expect_array,
    expect_object,
    is_array,
    is_integer,
    is_number,
    is_object,
    is_string,
    structured,
)


class Weather(Struct):
    temp: float


def takes_dict(value: dict[str, Any]) -> float:
    return float(value["temp"])


def subscript(result: CallToolResult) -> object:
    return expect_object(result)["temp"]


def nested_subscript(result: CallToolResult) -> object:
    return decode(result, dict[str, list[Weather]])["hours"][0].temp


def get(result: CallToolResult) -> object:
    if is_object(result.structuredContent):
        assert_type(result.structuredContent, dict[str, object])
        return result.structuredContent.get("temp")
    return None


def items(result: CallToolResult) -> list[str]:
    return [key for key, _ in expect_object(result).items()]


def membership(result: CallToolResult) -> bool:
    return is_object(result.structuredContent) and "temp" in result.structuredContent


def iteration(result: CallToolResult) -> list[object]:
    found: list[object] = []
    for hour in expect_array(result):
        found.append(hour)
    return found


def comprehension(result: CallToolResult) -> list[dict[str, object]]:
    return [hour for hour in expect_array(result) if is_object(hour)]


def unpacking(result: CallToolResult) -> object:
    first, *_ = expect_array(result)
    return first


def spread(result: CallToolResult) -> dict[str, object]:
    return {**expect_object(result), "seen": True}


def length(result: CallToolResult) -> int:
    return len(result.structuredContent) if is_array(result.structuredContent) else 0


def summed(result: CallToolResult) -> float:
    return sum(value for value in expect_array(result) if is_number(value))


def ordered(result: CallToolResult) -> list[int]:
    return sorted(decode(result, list[int]))


def joined(result: CallToolResult) -> str:
    return ", ".join(value for value in expect_array(result) if is_string(value))


def parsed_again(result: CallToolResult) -> object:
    return json.loads(result.structuredContent) if is_string(result.structuredContent) else None


def arithmetic(result: CallToolResult) -> int:
    return result.structuredContent + 1 if is_integer(result.structuredContent) else 0


def comparison(result: CallToolResult) -> bool:
    value = structured(result)
    return is_number(value) and value > 20


def attribute(result: CallToolResult) -> float:
    return decode(result, Weather).temp


def method(result: CallToolResult) -> str:
    return decode(result, str).strip()


def passed_on(result: CallToolResult) -> float:
    return takes_dict(expect_object(result))


def returned(result: CallToolResult) -> dict[str, object]:
    return expect_object(result)


def by_walrus(result: CallToolResult) -> object:
    return value["temp"] if is_object(value := result.structuredContent) else None


def written_to(result: CallToolResult) -> dict[str, object]:
    value = expect_object(result)
    value["seen"] = True
    return value


def in_a_match(result: CallToolResult) -> float:
    match Decoder(Weather).read(result):
        case Ok(weather):
            assert_type(weather, Weather)
            return weather.temp
        case _:
            return 0.0


def said_by_hand(result: CallToolResult) -> float:
    return float(cast("dict[str, float]", result.structuredContent)["temp"])


def not_a_use(result: CallToolResult) -> str:
    assert result.structuredContent is not None
    same = result.structuredContent == result.content
    return f"{result.structuredContent!r}, {bool(result.structuredContent)}, {same}"


def still_refused(result: CallToolResult) -> None:
    if is_object(result.structuredContent):
        result.structuredContent["hours"][0]  # E
    if is_array(result.structuredContent):
        result.structuredContent[0].temp  # E
    decode(result, Weather).nope  # E
