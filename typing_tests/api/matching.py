# not for: mypy115 -- TypeForm needs mypy 2.2; before, the brackets are the way
"""`matches(x, T)`: true of a value that is a `T` as it stands."""

from __future__ import annotations

from typing import Literal

from typing_extensions import assert_type

from models import QueryDict
from typedtool import Caller, matches

EACH: list[object] = [{"city": "Oslo"}, "Paris", ["Bern"], {"city": 1}, [1], "x"]


def city(value: object) -> str:
    if matches(value, QueryDict):
        assert_type(value, QueryDict)
        assert_type(value["city"], str)
        return value["city"]
    if matches(value, Literal["Paris", "Rome"]):
        assert_type(value, Literal["Paris", "Rome"])
        return value
    if matches(value, list[str]):
        assert_type(value, list[str])
        return value[0]
    return ""


async def run(client: Caller) -> None:
    assert [city(value) for value in EACH] == ["Oslo", "Paris", "Bern", "", "", ""]


def refused(value: object) -> None:
    if matches(value, QueryDict):
        value["town"]  # E
    if matches(value, list[int]):
        value[0].nope  # E
    else:
        value[0]  # E
    matches(value)  # E
    matches(value, 1)  # E
