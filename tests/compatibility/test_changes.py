"""What a change of a tool's definition means for the types that are bound to it."""

from __future__ import annotations

from typing import Any, Optional

import pytest
from msgspec import Struct

from typedtool import Budget
from typedtool.compatibility.changes import input_change, output_change
from typedtool.results.definitions import read_definition


class Query(Struct):
    city: str
    days: int = 3


class Hour(Struct):
    hour: str
    temp: float


STR, NUM, INT = {"type": "string"}, {"type": "number"}, {"type": "integer"}


def obj(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def wrapped(schema: Any) -> dict[str, Any]:
    return obj("result", result=schema)


def entry(output: Any = None, arguments: Any = None) -> Any:
    held = {"outputSchema": output, "inputSchema": arguments}
    return read_definition({"name": "f", **{k: v for k, v in held.items() if v is not None}})


@pytest.mark.parametrize(
    ("tp", "old", "new", "meaning"),
    [
        (
            Hour,
            obj("hour", "temp", hour=STR, temp=NUM),
            obj("hour", "temp", "x", hour=STR, temp=NUM, x=INT),
            "harmless",
        ),
        (Hour, obj("hour", "temp", hour=STR, temp=NUM), obj("hour", hour=STR, temp=NUM), "breaking"),
        (
            Hour,
            obj("hour", hour=STR, temp=NUM),
            obj("hour", hour=STR, temp=INT),
            "harmless",
        ),  # no worse than before
        (
            Hour,
            obj("hour", "temp", hour=STR, temp=NUM),
            obj("hour", "temp", hour=STR, temp={"type": ["number", "null"]}),
            "breaking",
        ),
        (Optional[int], wrapped(INT), wrapped({"type": ["integer", "null"]}), "harmless"),
        (int, wrapped(INT), wrapped({"type": ["integer", "null"]}), "breaking"),
        (
            list[Hour],
            wrapped({"type": "array"}),
            wrapped(STR),
            "unknown",
        ),  # JSON inside of the string, perhaps
        (int, wrapped(INT), None, "unknown"),
        (int, None, wrapped(INT), "harmless"),
    ],
)
def test_a_change_of_an_output_hurts_where_new_values_do_not_decode(
    tp: Any, old: Any, new: Any, meaning: str
) -> None:
    found = output_change(tp, entry(old), entry(new), Budget())
    assert found is not None and found.meaning == meaning, found


@pytest.mark.parametrize(
    ("old", "new", "meaning"),
    [
        (obj("city", city=STR), obj("city", "units", city=STR, units=STR), "breaking"),
        (obj("city", city=STR), obj("city", city=STR, units=STR), "harmless"),
        (obj("city", city=STR, days=INT), obj("city", city=STR, days={**INT, "maximum": 7}), "breaking"),
        (obj("city", city=STR, days={**INT, "maximum": 7}), obj("city", city=STR, days=INT), "harmless"),
        (obj("city", city=STR), {**obj("city", city=STR), "additionalProperties": False}, "breaking"),
        (
            obj("city", city=STR, days=INT),
            {**obj("city", city=STR, days=INT), "additionalProperties": False},
            "harmless",
        ),
        (obj("city", city=STR), None, "harmless"),
    ],
)
def test_a_change_of_an_input_hurts_where_what_is_sent_is_refused(old: Any, new: Any, meaning: str) -> None:
    found = input_change(Query, entry(arguments=old), entry(arguments=new), Budget())
    assert found is not None and found.meaning == meaning, found


def test_no_change_is_none() -> None:
    assert output_change(int, entry(wrapped(INT)), entry(wrapped(INT)), Budget()) is None
    assert input_change(Query, entry(), entry(), Budget()) is None
