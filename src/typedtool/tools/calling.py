"""One call, from arguments to an outcome; and what is done once when a result does not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from typing_extensions import Unpack

from typedtool.clients.calls import call_tool
from typedtool.clients.faults import refusal, rpc_error
from typedtool.clients.listing import list_tools
from typedtool.compatibility.report import describe_change
from typedtool.decoding.decoder import Decoder
from typedtool.errors import Problem
from typedtool.results.definitions import Definition, read_listing
from typedtool.results.outcomes import Mismatch, Outcome, ToolFailed
from typedtool.results.result import ToolResult
from typedtool.tools.options import CallOptions

__all__ = ["perform", "relist", "remember"]


async def perform(
    client: object,
    name: str,
    arguments: dict[str, Any] | None,
    decoder: Decoder[Any],
    **options: Unpack[CallOptions],
) -> Outcome[Any]:
    """Call and read. A JSON-RPC error that the server answered with is a ToolFailed, an answer that the SDK refuses
    before it can be read is a Mismatch; everything else that the SDK raises passes through."""
    try:
        result = await call_tool(client, name, arguments, **options)
    except Exception as error:
        answered = rpc_error(error)
        if answered is not None:
            empty = ToolResult(raw=error)
            return ToolFailed(empty, answered.message, answered.code, answered.data, tool=name, cause=error)
        if (why := refusal(error, client)) is None:
            raise
        problem = Problem("malformed", "$", "an answer that the MCP SDK lets through", "one that it refuses")
        return Mismatch("malformed", (problem,), ToolResult(raw=error), tool=name, hint=why, cause=error)
    return decoder.read(result)


async def relist(client: object, bound: Definition, outcome: Outcome[Any]) -> tuple[bool, Outcome[Any]]:
    """After a mismatch: list once more, and say in the outcome how the tool's schema changed since it was bound."""
    if not isinstance(outcome, Mismatch):
        return False, outcome
    listing = await list_tools(client, refresh=True)
    if listing.fault is not None:
        return True, outcome
    now = next((d for d in read_listing(listing.tools) if d.name == bound.name), None)
    if now is None:
        changed = "it is no longer listed"
    elif (change := describe_change(bound.output_schema, now.output_schema)) is not None:
        changed = f"its outputSchema was {change}"
    else:
        return True, outcome
    return True, msgspec.structs.replace(outcome, changed=changed)


def remember(
    name: str, outcome: Outcome[Any], seen: Callable[[str, Outcome[object]], None] | None
) -> Outcome[Any]:
    """The outcome, after `on_outcome` has seen it."""
    if seen is not None:
        seen(name, outcome)
    return outcome
