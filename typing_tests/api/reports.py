"""What binding found, what was sent in vain, and what the SDK is given to be more lenient."""

from __future__ import annotations

from typing import Literal

from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from typing_extensions import assert_type

from models import Hour, Query
from typedtool import (
    BoundTool,
    Caller,
    Finding,
    InvalidArguments,
    Problem,
    Report,
    Toolset,
    TypedTool,
    TypedToolWarning,
    tolerant,
)


class Weather(Toolset):
    forecast = TypedTool[Query, list[Hour]]("hours")
    unlisted = TypedTool[None, int]("no-such-tool")


def watch(tool: str, outcome: object) -> None:
    pass


def levels(report: Report) -> list[Literal["error", "warning", "note"]]:
    return [finding.level for finding in report]


async def run(client: Caller) -> None:
    weather = await Weather.bind(client, on_outcome=watch)
    assert_type(weather.report, Report)
    assert_type(weather.forecast.report, Report)
    assert "error" in levels(weather.report)
    for finding in weather.report:
        assert_type(finding, Finding)
        assert_type(finding.tool, str)
    assert_type(len(weather.report), int)
    assert issubclass(TypedToolWarning, UserWarning)


async def refreshed(bound: BoundTool[Query, list[Hour]]) -> None:
    assert_type(await bound.refresh(), BoundTool[Query, list[Hour]])


async def transports() -> None:
    async with tolerant(stdio_client(StdioServerParameters(command="server"))) as streams:
        caller: Caller = ClientSession(*tolerant(streams))


async def refused(client: Caller, weather: Weather, error: InvalidArguments) -> None:
    weather.report.findings[0].level = "note"  # E
    weather.report[0]  # E
    weather.report = Report()  # E
    assert_type(error.problems, tuple[Problem, ...])
    error.nope  # E
    await Weather.bind(client, on_outcome=3)  # E
    finding = Finding("fatal", "hours", "")  # E
    tolerant()  # E
