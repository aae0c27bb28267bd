"""A server of one SDK that publishes one function of each shape of result.

    python shapes.py mcp1 | mcp2 | fastmcp4

`mcp1` runs on mcp 1.x, `mcp2` on mcp 2.x, `fastmcp4` on FastMCP.
"""

import sys
from typing import Any

from pydantic import BaseModel


class Point(BaseModel):
    x: int
    label: str


def server_of(sdk: str) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The server, how a tool is told to answer in text only, and how it is run."""
    if sdk == "mcp1":
        from mcp.server.fastmcp import FastMCP

        return FastMCP("shapes", log_level="WARNING"), {"structured_output": False}, {}
    if sdk == "mcp2":
        from mcp.server.mcpserver import MCPServer

        return MCPServer("shapes", log_level="WARNING"), {"structured_output": False}, {}
    from fastmcp import FastMCP as FastMCP4

    return FastMCP4("shapes"), {"output_schema": None}, {"show_banner": False, "log_level": "WARNING"}


server, in_text, running = server_of(sys.argv[1])


@server.tool()
def an_object() -> Point:
    return Point(x=1, label="a")


@server.tool()
def a_list() -> list[Point]:
    return [Point(x=1, label="a"), Point(x=2, label="b")]


@server.tool()
def a_list_of_one() -> list[Point]:
    return [Point(x=1, label="a")]


@server.tool()
def no_list() -> list[Point]:
    return []


@server.tool()
def a_number() -> int:
    return 7


@server.tool()
def nothing() -> None:
    return None


@server.tool()
def perhaps(there: bool) -> Point | None:
    return Point(x=1, label="a") if there else None


@server.tool(**in_text)
def text_only() -> str:
    return '{"x": 1, "label": "a"}'


@server.tool()
def fails() -> Point:
    raise ValueError("no point")


server.run(**running)
