"""Subclasses, generic subclasses, variance, tools in other classes, functions over tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from typing_extensions import assert_type

from models import Hour, Query
from typedtool import BoundTool, Caller, Toolset, TypedTool

T = TypeVar("T")


class Forecast(TypedTool[Query, list[Hour]]):
    pass


class ListTool(TypedTool[None, list[T]], Generic[T]):
    pass


class Base:
    pass


class Derived(Base):
    pass


class Weather(Toolset):
    forecast = Forecast("hours")
    hours = ListTool[Hour]("hours")


@dataclass
class Holder:
    tool: TypedTool[Query, list[Hour]]
    bound: BoundTool[Query, list[Hour]]


class Plain:
    tool = TypedTool[Query, list[Hour]]("hours")


forecast = Forecast("hours")
hours = ListTool[Hour]("hours")
wide: TypedTool[Query, object] = forecast
top: TypedTool = forecast  # E?: mypy mypy115 pyright basedpyright -- strict modes ask for the arguments
call: Callable[[Caller, Query], Awaitable[list[Hour]]] = forecast
call_without: Callable[[Caller], Awaitable[list[Hour]]] = hours


def decoded(tool: TypedTool[Query, T]) -> T:
    return tool.decode({"content": [], "structuredContent": [{"hour": 1, "temp": 2.5}]})


async def first(client: Caller, tool: TypedTool[None, list[T]]) -> T:
    return (await tool(client))[0]


async def run(client: Caller) -> None:
    assert_type(await forecast(client, Query()), list[Hour])
    assert_type(await hours(client), list[Hour])
    assert_type(await first(client, hours), Hour)
    assert_type(await wide(client, Query()), object)
    assert_type(await call(client, Query()), list[Hour])
    assert_type(await call_without(client), list[Hour])
    assert_type(decoded(forecast), list[Hour])
    assert_type(Weather.forecast, Forecast)
    weather = await Weather.bind(client)
    assert_type(await weather.forecast(Query()), list[Hour])
    assert_type(await weather.hours(), list[Hour])
    holder = Holder(forecast, await forecast.bind(client))
    assert_type(await holder.tool(client, Query()), list[Hour])
    assert_type(await holder.bound(Query()), list[Hour])
    assert_type(Plain.tool, TypedTool[Query, list[Hour]])
    assert_type(await Plain().tool(client, Query()), list[Hour])


def refused(
    takes_base: TypedTool[Base, Base], takes_derived: TypedTool[Derived, Derived], holder: Holder
) -> None:
    a: TypedTool[Derived, Base] = takes_base
    b: TypedTool[Base, Base] = takes_derived  # E
    c: TypedTool[Derived, Derived] = takes_base  # E
    d: TypedTool[Derived, object] = takes_derived
    e: TypedTool[Query, list[int]] = forecast  # E
    f: TypedTool[None, list[Hour]] = forecast  # E
    g: Callable[[Caller], Awaitable[list[Hour]]] = forecast  # E # E?: mypy115 pyrefly -- self types
    decoded(hours)  # E
    holder.tool = TypedTool[Query, list[int]]("hours")  # E
    holder.bound = forecast  # E
