"""`Toolset`: the tools of one server, bound by one listing."""

from __future__ import annotations

import pathlib
from typing import Any

import anyio
import pytest

from connecting import ANY, logged, text
from forecasting import HOURS, Hour, Query, live
from typedtool import (
    InvalidSchema,
    ToolNotFound,
    Toolset,
    TypedTool,
    tool,
)

WRAPPED = {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}


class Tools(Toolset):
    count = TypedTool[None, int]("get-count")
    forecast = tool("f", Query, list[Hour])
    nameless = TypedTool[None, str]()


class MoreTools(Tools):
    extra = TypedTool[None, int]("extra")


LISTING = {
    "tools": [
        {"name": "get-count", "inputSchema": ANY, "outputSchema": WRAPPED},
        {"name": "f", "inputSchema": ANY},
        {"name": "nameless", "inputSchema": ANY},
        {"name": "ex-tra", "inputSchema": ANY},
    ]
}


def test_a_toolset_binds_all_its_tools_by_one_listing(tmp_path: pathlib.Path) -> None:
    log = tmp_path / "log"
    script = {
        **LISTING,
        "log": str(log),
        "answers": {
            "get-count": {"result": {"content": [], "structuredContent": {"result": 3}}},
            "f": {"result": HOURS},
        },
    }
    seen: list[str] = []

    async def run(client: Any) -> None:
        tools = await MoreTools.bind(client, on_outcome=lambda name, outcome: seen.append(name))
        assert await tools.count() == 3
        assert await tools.forecast(place_name="Paris") == [Hour("1", 2.0)]
        assert tools.count is tools.count
        with pytest.raises(ToolNotFound, match="did you mean 'ex-tra'"):
            await tools.extra()
        assert [(f.level, f.tool) for f in tools.report] == [("error", "extra")]

    live("Client", script, run)
    assert len(logged(log, "tools/list")) == 1
    assert seen == ["get-count", "f"]


def test_a_toolset_against_a_listing_decodes_and_does_not_call() -> None:
    tools = Tools.against(LISTING)
    assert tools.count.decode({"content": [], "structuredContent": {"result": 3}}) == 3
    assert tools.nameless.decode(text("x")) == "x"
    assert Tools.count.name == "get-count", "the class itself gives the tool"
    assert len(tools.report) == 0

    async def run() -> None:
        with pytest.raises(TypeError, match="without a client"):
            await tools.count()

    anyio.run(run)
    with pytest.raises(TypeError, match="expected a listing"):
        Tools.against(5)


def test_strict_refuses_what_the_report_would_say() -> None:
    with pytest.raises(ToolNotFound):
        MoreTools.against(LISTING, strict=True)
    bad = {"tools": [{"name": "get-count", "outputSchema": {"type": "nope"}}, *LISTING["tools"][1:]]}
    with pytest.raises(InvalidSchema):
        Tools.against(bad, strict=True)
    Tools.against(LISTING, strict=True)


def test_a_bad_type_in_a_toolset_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(TypeError, match="string"):

        class _Broken(Toolset):
            f = TypedTool["Query", int]("f")
