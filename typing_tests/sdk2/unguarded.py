"""Uses of structured content that nothing has checked: each is an error, wherever the result came from.

Each function is one pattern; every one of them fails at run time for some JSON value that a server may send.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from mcp.types import CallToolResult
from typing_extensions import TypedDict


class Weather(TypedDict):
    temp: float


def takes_dict(value: dict[str, Any]) -> float:
    return float(value["temp"])


def takes_reader(read: Callable[[], object]) -> object:
    return read()


def takes_fields(temp: float) -> float:
    return temp + 0.5


def subscript(result: CallToolResult) -> object:
    return result.structured_content["temp"]  # E


def nested_subscript(result: CallToolResult) -> object:
    return result.structured_content["hours"][0]["temp"]  # E


def index(result: CallToolResult) -> object:
    return result.structured_content[0]  # E


def slice_of(result: CallToolResult) -> object:
    return result.structured_content[1:]  # E


def get(result: CallToolResult) -> object:
    return result.structured_content.get("temp")  # E


def get_with_default(result: CallToolResult) -> object:
    return result.structured_content.get("hours", [])  # E


def items(result: CallToolResult) -> object:
    return [key for key, _ in result.structured_content.items()]  # E


def membership(result: CallToolResult) -> bool:
    return "temp" in result.structured_content  # E


def iteration(result: CallToolResult) -> object:
    for _ in result.structured_content:  # E
        return True
    return False


def comprehension(result: CallToolResult) -> object:
    return [hour for hour in result.structured_content]  # E


def unpacking(result: CallToolResult) -> object:
    _, *_ = result.structured_content  # E
    return None


def spread_in_dict(result: CallToolResult) -> object:
    return {**result.structured_content}  # E


def spread_in_list(result: CallToolResult) -> object:
    return [*result.structured_content]  # E


def spread_as_keywords(result: CallToolResult) -> object:
    return takes_fields(**result.structured_content)  # E


def spread_as_arguments(result: CallToolResult) -> object:
    return takes_fields(*result.structured_content)  # E


def length(result: CallToolResult) -> int:
    return len(result.structured_content)  # E


def as_list(result: CallToolResult) -> object:
    return list(result.structured_content)  # E


def ordered(result: CallToolResult) -> object:
    return sorted(result.structured_content)  # E


def summed(result: CallToolResult) -> object:
    return sum(result.structured_content)  # E


def as_number(result: CallToolResult) -> float:
    return float(result.structured_content)  # E


def joined(result: CallToolResult) -> str:
    return ", ".join(result.structured_content)  # E


def parsed_again(result: CallToolResult) -> object:
    return json.loads(result.structured_content)  # E


def arithmetic(result: CallToolResult) -> object:
    return result.structured_content + 1  # E


def comparison(result: CallToolResult) -> object:
    return result.structured_content > 20  # E


def attribute(result: CallToolResult) -> object:
    return result.structured_content.temp  # E


def method(result: CallToolResult) -> object:
    return result.structured_content.strip()  # E


def called(result: CallToolResult) -> object:
    return result.structured_content()  # E


def assigned_as_dict(result: CallToolResult) -> float:
    value: dict[str, Any] = result.structured_content  # E
    return float(value["temp"])


def assigned_as_typed_dict(result: CallToolResult) -> float:
    value: Weather = result.structured_content  # E
    return float(value["temp"])


def passed_on(result: CallToolResult) -> float:
    return takes_dict(result.structured_content)  # E


def returned(result: CallToolResult) -> dict[str, Any]:
    return result.structured_content  # E -- mypy also without the stub


def or_empty(result: CallToolResult) -> object:
    return (result.structured_content or {})["temp"]  # E


def after_a_truth_test(result: CallToolResult) -> object:
    if result.structured_content:
        return result.structured_content["temp"]  # E
    return None


def after_a_none_test(result: CallToolResult) -> object:
    if result.structured_content is not None:
        return result.structured_content["temp"]  # E
    return None


def after_an_assertion(result: CallToolResult) -> object:
    assert result.structured_content is not None
    return result.structured_content["temp"]  # E


def after_the_wrong_guard(result: CallToolResult) -> object:
    if isinstance(result.structured_content, list):
        return result.structured_content["temp"]  # E -- also without the stub
    return None


def by_walrus(result: CallToolResult) -> object:
    if value := result.structured_content:
        return value["temp"]  # E
    return None


def from_a_variable(result: CallToolResult) -> object:
    value = result.structured_content
    return value["temp"]  # E


def of_several(results: list[CallToolResult]) -> object:
    return [result.structured_content["temp"] for result in results]  # E


def written_to(result: CallToolResult) -> None:
    result.structured_content["seen"] = True  # E


def deleted_from(result: CallToolResult) -> None:
    del result.structured_content["temp"]  # E


def inside_a_lambda(result: CallToolResult) -> object:
    return takes_reader(lambda: result.structured_content["temp"])  # E


def in_a_match(result: CallToolResult) -> object:
    match result:
        case CallToolResult(structured_content=value):
            return value["temp"]  # E
        case _:
            return None
