"""Guards on `object`: what is behind them is known, and its parts are `object` again, never `Any`."""

from __future__ import annotations

from typing_extensions import assert_type

from typedtool import (
    Caller,
    JsonValue,
    expect_array,
    expect_object,
    is_array,
    is_boolean,
    is_integer,
    is_null,
    is_number,
    is_object,
    is_string,
    structured,
)

OBJECT: object = {"content": [], "structuredContent": {"hours": [{"temp": 1.5}], "city": "Paris"}}
ARRAY: object = {"content": [], "structuredContent": [1, 2]}

EACH: list[object] = [{"a": 1}, [1], "", True, None, 1.5]


class Holder:
    def __init__(self, value: object) -> None:
        self.value: object = value


def kind(value: object) -> str:
    if is_object(value):
        assert_type(value, dict[str, object])
        return "object"
    if is_array(value):
        assert_type(value, list[object])
        return "array"
    if is_string(value):
        assert_type(value, str)
        return "string"
    if is_boolean(value):
        assert_type(value, bool)
        return "boolean"
    if is_null(value):
        assert_type(value, None)
        return "null"
    return "number" if is_number(value) else "?"


def total(values: list[object]) -> float:
    return sum(value for value in values if is_number(value))


def digits(value: object) -> int:
    return value.bit_length() if is_integer(value) else 0


def temperature(holder: Holder) -> float:
    if is_object(holder.value):
        assert_type(holder.value, dict[str, object])
        assert_type(holder.value["hours"], object)
        if is_array(hours := holder.value.get("hours")) and is_object(hour := hours[0]):
            assert_type(hours, list[object])
            assert_type(hour, dict[str, object])
            if is_number(temp := hour["temp"]):
                return temp
    return 0.0


def depth(value: JsonValue) -> int:
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    return 0


async def run(client: Caller) -> None:
    assert [kind(value) for value in EACH] == ["object", "array", "string", "boolean", "null", "number"]
    assert_type(structured(OBJECT), object)
    assert_type(expect_object(OBJECT), dict[str, object])
    assert_type(expect_array(ARRAY), list[object])
    assert total(expect_array(ARRAY)) == 3
    assert digits(4) == 3
    assert depth([{"a": [1]}, "x"]) == 3
    assert temperature(Holder(expect_object(OBJECT))) == 1.5
    assert list(filter(is_string, ["a", 1])) == ["a"]


def refused(value: object, holder: Holder) -> None:
    value["a"]  # E
    depth({1, 2})  # E
    if is_object(value):
        value["a"]["b"]  # E
        value[0]  # E
        value.city  # E
        a: str = value["city"]  # E
        b: dict[str, str] = value  # E
    if is_array(value):
        value[0].temp  # E
        value[0]["temp"]  # E
        value["temp"]  # E
    holder.value["a"]  # E
    structured(OBJECT)["city"]  # E
    expect_object(OBJECT)["hours"][0]  # E
    expect_array(ARRAY)[0] + 1  # E
    for item in expect_array(ARRAY):
        item["x"]  # E
    c: int = is_object(value) and value["n"]  # E
    if is_string(value):
        value + 1  # E
