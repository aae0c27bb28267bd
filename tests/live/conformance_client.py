"""A client for the protocol's conformance suite: typedtool over the SDK's Client. `python conformance_client.py URL`."""

from __future__ import annotations

import sys
from typing import Any

import anyio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from typedtool import SchemaError, TypedTool, tolerant
from typedtool.clients.listing import list_tools
from typedtool.results.definitions import read_listing


async def main(url: str) -> None:
    async with Client(tolerant(streamable_http_client(url))) as client:
        listing = await list_tools(client)
        for definition in read_listing(listing.tools):
            arguments = {"a": 5, "b": 3} if definition.name == "add_numbers" else {}
            try:
                bound = await TypedTool[dict[str, Any], object](definition.name).bind(client)
                print(definition.name, await bound.call(arguments))
            except SchemaError as error:
                print(definition.name, error)


anyio.run(main, sys.argv[-1])
