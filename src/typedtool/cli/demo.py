"""`typedtool demo`: every way in which servers answer, decoded; against a server that ships with typedtool."""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
import warnings
from datetime import date
from typing import Any, Literal, Optional

import msgspec
from msgspec import UNSET, Struct

from typedtool.cli.servers import Stdio, using
from typedtool.cli.terminal import Style, json_text, width, wrapped
from typedtool.clients.calls import server_info
from typedtool.results.outcomes import Mismatch, Ok, Outcome, error_of
from typedtool.results.result import ToolResult
from typedtool.tools.tool import TypedTool
from typedtool.tools.toolset import Toolset
from typedtool.types.hints import type_name
from typedtool.values.guards import is_array
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]

_SECONDS = 30.0


class City(Struct):
    city: str


class Hour(Struct):
    hour: str
    temp: float
    conditions: str


class Warning(Struct):
    level: Literal["yellow", "orange", "red"]
    text: str


class Station(Struct):
    name: str
    altitude: int


class Bulletin(Struct):
    title: str
    day: date


class Tide(Struct):
    at: str


class Rain(Struct):
    hour: str
    mm: float = msgspec.field(name="rain mm")


class _Weather(Toolset):
    """The tools of the demo server, and one that it does not have."""

    forecast = TypedTool[City, list[Hour]]("get-forecast")
    temperature = TypedTool[None, float]("get-temperature")
    warning = TypedTool[None, Optional[Warning]]("get-warning")
    stations = TypedTool[None, list[Station]]("list-stations")
    bulletin = TypedTool[None, Bulletin]("get-bulletin")
    station = TypedTool[None, Station]("get-station")
    cities = TypedTool[None, list[str]]("list-cities")
    tide = TypedTool[City, Tide]("get-tide")
    rainfall = TypedTool[None, list[Rain]]("get-rainfall")
    humidity = TypedTool[None, int]("get-humidity")
    pressure = TypedTool[None, int]("get-pressure")
    towns = TypedTool[None, list[str]]("list-citys")


class Step(Struct, frozen=True):
    """One call of the demo. shows: what the reader sees. attribute: the member of `_Weather` to call."""

    shows: str
    attribute: str
    argument: Any = None


VALUES = (
    Step("an array, bare", "forecast", City("Paris")),
    Step("a number", "temperature"),
    Step("null", "warning"),
    Step('a list, wrapped in {"result": ...}', "stations"),
    Step("JSON in a string", "bulletin"),
    Step("text only, no schema", "station"),
    Step("a list, sent as one text block for each element", "cities"),
)
OUTCOMES = (
    Step("the tool reports an error", "tide", City("Paris")),
    Step("the value does not fit the type", "rainfall"),
    Step("the value fits the type, but not the server's own schema", "humidity"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the demo has no options."""


def run(options: argparse.Namespace) -> int:
    """Start the server, bind the tools, call them, and print the page."""
    server = Stdio(sys.executable, ("-m", "typedtool.demo_server"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what there is to warn of is in the report, which is printed
        text = using(server, _text, _SECONDS)
    print(text)
    return 0


async def _text(client: Any) -> str:
    """The whole page."""
    page = _Page(Style(sys.stdout), width())
    page.head(client)
    weather = await _Weather.bind(client)
    page.section("Seven ways to answer, seven typed values")
    for step in VALUES:
        page.step(step, await _outcome(weather, step))
    page.section("Failures are named outcomes, and keep the whole result")
    for step in OUTCOMES:
        page.step(step, await _outcome(weather, step))
    page.section("Found while binding, before any call")
    page.code("print(weather.report)")
    for finding in weather.report:
        says = str(finding).removeprefix(f"{finding.level}: ")
        page.field(finding.level, says, page.style.bad)
    page.foot()
    return "\n".join(page.lines)


async def _outcome(weather: _Weather, step: Step) -> Outcome[object]:
    bound: Any = getattr(weather, step.attribute)
    outcome: Outcome[object] = await bound.call(step.argument)
    return outcome


class _Page:
    """The lines of the page, as they are added."""

    def __init__(self, style: Style, columns: int) -> None:
        self.style = style
        self.columns = columns
        self.lines: list[str] = []

    def head(self, client: Any) -> None:
        protocol = server_info(client).protocol or "?"
        sdk = importlib.metadata.version("mcp")
        self.lines.append(self.style.strong("typedtool demo"))
        self.lines.append(
            f"mcp {sdk} {type(client).__name__}, MCP {protocol}, python -m typedtool.demo_server"
        )
        self.lines.append("")
        self.code("class Weather(Toolset):")
        for attribute in ("forecast", "temperature"):
            tool: TypedTool[Any, Any] = vars(_Weather)[attribute]
            types = f"{type_name(tool.input_type)}, {type_name(tool.output_type)}"
            self.code(f'    {attribute} = TypedTool[{types}]("{tool.name}")')
        self.code(
            f"    ...                                  # and {sum(isinstance(v, TypedTool) for v in vars(_Weather).values()) - 2} more"
        )
        self.code("weather = await Weather.bind(client)     # one listing for all")

    def section(self, title: str) -> None:
        self.lines += ["", self.style.strong(title)]

    def step(self, step: Step, outcome: Outcome[object]) -> None:
        tool: TypedTool[Any, Any] = vars(_Weather)[step.attribute]
        argument = "" if step.argument is None else f'City("{step.argument.city}")'
        self.lines.append("")
        self.lines.append(f"  {step.shows}")
        self.code(f"await weather.{step.attribute}({argument})", type_name(tool.output_type))
        self.field("sent", line(_sent(outcome.result), 2 * (self.columns - 16)))
        if isinstance(outcome, Ok):
            self.value(outcome.value)
            self.field("source", outcome.source + (", unwrapped" if outcome.unwrapped else ""))
            return
        error = error_of(outcome)
        self.field("raises", f"{type(error).__name__}: {error}", self.style.bad)
        if isinstance(outcome, Mismatch) and outcome.value is not UNSET:
            self.field("kept", f"error.value is {line(repr(outcome.value), 100)}")

    def code(self, code: str, type: str = "") -> None:
        self.lines.append(f"    {code:<41}# {type}" if type else f"    {code}")

    def value(self, value: object) -> None:
        """Add a value, on one line, or with a line for each element."""
        shown = repr(value)
        if is_array(value) and len(shown) > self.columns - 12:
            shown = "[" + ",\n ".join(map(repr, value)) + "]"
        for label, text in zip(("value", *[""] * len(shown)), shown.split("\n")):
            self.lines.append(self.style.faint(f"    {label:<8}") + self.style.good(text))

    def field(self, label: str, text: str, colour: Any = str) -> None:
        first, *more = wrapped(f"{label:<8}", text, self.columns, "    ").split("\n")
        self.lines.append(self.style.faint(first[:12]) + colour(first[12:]))
        self.lines += [each[:12] + colour(each[12:]) for each in more]

    def foot(self) -> None:
        self.section("Next: your own server")
        self.code('typedtool list --stdio "python your_server.py"')
        self.code('typedtool show TOOL --stdio "..."')
        self.code('typedtool call TOOL \'{"city": "Paris"}\' --stdio "..." --as \'list[str]\'')


def _sent(result: ToolResult) -> str:
    """What the server sent, as JSON."""
    if result.structured is not UNSET:
        return f"structuredContent: {json_text(result.structured)}"
    said = "text" if len(result.texts) == 1 else f"{len(result.texts)} text blocks"
    return f"{'isError, ' if result.is_error else ''}{said}: {' | '.join(result.texts)}"
