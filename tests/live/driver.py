"""Runs typed calls with one client and prints what came of them. It runs in the environment of that client.

    python driver.py CLIENT < jobs.json > outcomes.json

CLIENT is mcp1-session, mcp2-session, mcp2-client or fastmcp4-client. A job is {"server": [command, ...],
"env", "tolerant": bool, "calls": [{"tool", "arguments", "out"}]}, `out` the name of a type in `OUT`. Each job is
one connection; its outcome is {"protocol", "listed", "notes", "calls": [{"unbound": outcome, "bound": outcome}]}
or {"failed": why}.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Optional

import anyio
import msgspec

from typedtool import Ok, TypedTool, tolerant
from typedtool.clients.calls import server_info
from typedtool.clients.listing import list_tools


class Point(msgspec.Struct):
    x: int
    label: str


class Weather(msgspec.Struct):
    temperature: float
    conditions: str
    humidity: float


class Hour(msgspec.Struct):
    hour: str
    temp: float
    conditions: str


class Resource(msgspec.Struct):
    id: str
    name: str
    type: str
    status: str


class Found(msgspec.Struct):
    resource: Optional[Resource]
    searchedBy: str


class Content(msgspec.Struct):
    content: str


class Entity(msgspec.Struct):
    name: str
    entityType: str
    observations: list[str]


class Graph(msgspec.Struct):
    entities: list[Entity]
    relations: list[dict[str, str]] = []


OUT: dict[str, Any] = {
    "Point": Point,
    "list[Point]": list[Point],
    "Point | None": Optional[Point],
    "int": int,
    "str": str,
    "None": None,
    "list[int]": list[int],
    "Weather": Weather,
    "list[Hour]": list[Hour],
    "Found": Found,
    "Content": Content,
    "Graph": Graph,
}


@asynccontextmanager
async def connected(kind: str, job: dict[str, Any]) -> AsyncIterator[Any]:
    command, *arguments = job["server"]
    wrap = tolerant if job.get("tolerant") else lambda transport: transport
    if kind == "fastmcp4-client":
        import fastmcp
        from fastmcp.client.transports import StdioTransport

        transport = StdioTransport(command, arguments, env=job.get("env"), keep_alive=False)
        async with fastmcp.Client(wrap(transport)) as client:
            yield client
        return
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=command, args=arguments, env=job.get("env"))
    if kind == "mcp2-client":
        from mcp import Client

        async with Client(wrap(stdio_client(server))) as client:
            yield client
        return
    async with stdio_client(server) as streams, ClientSession(*wrap(streams)) as session:
        await session.initialize()
        yield session


def told(outcome: Any) -> dict[str, Any]:
    if isinstance(outcome, Ok):
        value = msgspec.to_builtins(outcome.value)
        return {"ok": value, "source": outcome.source, "unwrapped": outcome.unwrapped}
    return {"no": type(outcome).__name__, "why": str(outcome)}


async def outcome_of(client: Any, call: dict[str, Any], bound: bool) -> dict[str, Any]:
    declared = TypedTool(call["tool"], dict[str, Any], OUT[call["out"]])
    try:
        if not bound:
            return told(await declared.call(client, call["arguments"], timeout=30))
        return told(await (await declared.bind(client)).call(call["arguments"], timeout=30))
    except Exception as error:
        notes = getattr(error, "__notes__", [])
        return {"raised": type(error).__name__, "why": " ".join([str(error)[:500], *notes])}


async def called(client: Any, call: dict[str, Any]) -> dict[str, Any]:
    return {
        "unbound": await outcome_of(client, call, bound=False),
        "bound": await outcome_of(client, call, bound=True),
    }


async def run(kind: str, job: dict[str, Any]) -> dict[str, Any]:
    try:
        with anyio.fail_after(60):
            async with connected(kind, job) as client:
                listing = await list_tools(client)
                return {
                    "protocol": server_info(client).protocol,
                    "listed": len(listing.tools),
                    "notes": list(listing.notes),
                    "calls": [await called(client, call) for call in job["calls"]],
                }
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"[:500]}


async def main(kind: str) -> None:
    jobs = json.load(sys.stdin)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcomes = [await run(kind, job) for job in jobs]
    ours = sorted({str(w.message)[:200] for w in caught if "typedtool" in w.filename})
    json.dump({"outcomes": outcomes, "warnings": ours}, sys.stdout)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])
