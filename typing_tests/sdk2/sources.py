"""Wherever a result comes from, and however its class is imported, what it holds is an `object`."""

from __future__ import annotations

import mcp
import mcp.types as types
import mcp_types
from mcp import Client, ClientSession, ClientSessionGroup
from mcp_types import CallToolResult
from typing_extensions import assert_type


class Extended(CallToolResult):
    note: str = ""


async def of_client(client: Client) -> None:
    result = await client.call_tool("hours", {})
    assert_type(result.structured_content, object)
    result.structured_content["temp"]  # E
    (await client.call_tool("hours")).structured_content["temp"]  # E


async def of_session(session: ClientSession) -> None:
    result = await session.call_tool("hours", {})
    assert_type(result.structured_content, object)
    result.structured_content["temp"]  # E


async def of_session_with_input(session: ClientSession) -> None:
    result = await session.call_tool("hours", {}, allow_input_required=True)
    if isinstance(result, CallToolResult):
        result.structured_content["temp"]  # E


async def of_group(group: ClientSessionGroup) -> None:
    result = await group.call_tool("hours", {})
    result.structured_content["temp"]  # E


def of_annotations(a: types.CallToolResult, b: mcp_types.CallToolResult, c: mcp.types.CallToolResult) -> None:
    a.structured_content["temp"]  # E
    b.structured_content["temp"]  # E
    c.structured_content["temp"]  # E


def of_a_subclass(result: Extended) -> None:
    result.structured_content["temp"]  # E
    result.note["temp"]  # E


def made_here() -> None:
    result = CallToolResult(content=[], structured_content={"temp": 1.5})
    result.structured_content["temp"]  # E
    CallToolResult.model_validate({"content": []}).structured_content["temp"]  # E


def all_else_is_as_it_was(result: CallToolResult) -> None:
    assert_type(result.is_error, bool)
    assert_type(result.content, list[types.ContentBlock])
    result.is_error["temp"]  # E
    result.content["temp"]  # E
    result.nope  # E
