"""Wherever a result comes from, and however its class is imported, what it holds is an `object`."""

from __future__ import annotations

import mcp
import mcp.types as types
from mcp import ClientSession
from mcp.client.session_group import ClientSessionGroup
from mcp.types import CallToolResult
from typing_extensions import assert_type


class Extended(CallToolResult):
    note: str = ""


async def of_session(session: ClientSession) -> None:
    result = await session.call_tool("hours", {})
    assert_type(result.structuredContent, object)
    result.structuredContent["temp"]  # E
    (await session.call_tool("hours")).structuredContent["temp"]  # E


async def of_group(group: ClientSessionGroup) -> None:
    result = await group.call_tool("hours", {})
    result.structuredContent["temp"]  # E


def of_annotations(a: types.CallToolResult, b: mcp.types.CallToolResult) -> None:
    a.structuredContent["temp"]  # E
    b.structuredContent["temp"]  # E


def of_a_subclass(result: Extended) -> None:
    result.structuredContent["temp"]  # E
    result.note["temp"]  # E


def made_here() -> None:
    result = CallToolResult(content=[], structuredContent={"temp": 1.5})
    result.structuredContent["temp"]  # E


def all_else_is_as_it_was(result: CallToolResult) -> None:
    assert_type(result.isError, bool)
    assert_type(result.content, list[types.ContentBlock])
    result.isError["temp"]  # E
    result.content["temp"]  # E
    result.nope  # E
