"""`tool()`: the fields of the input as keywords."""

from __future__ import annotations

import pathlib
from typing import Any

from forecasting import Hour, Query, calls
from typedtool import (
    tool,
)


def test_tool_takes_the_fields_of_its_input_as_keywords(tmp_path: pathlib.Path) -> None:
    declared = tool("f", Query, list[Hour])

    async def run(client: Any) -> None:
        await declared(client, place_name="Paris")
        await declared(client, Query("Rome"))
        bound = await declared.bind(client)
        await bound("Oslo", days=2)
        await bound.call(Query("Bonn"))

    assert [c["placeName"] for c in calls(run, tmp_path)] == ["Paris", "Rome", "Oslo", "Bonn"]
