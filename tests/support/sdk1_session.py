"""A session with the shape of `ClientSession` of SDK 1.30, for environments where SDK 2.x is installed.

It has what the gate of `clients` builds on, and no more: `call_tool` sends through `send_request` with the SDK's result
class and then validates; `list_tools` keeps the schemas. The real SDK 1.x runs in the tests behind `--environments`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import anyio
import jsonschema
from pydantic import BaseModel


class CallToolResult(BaseModel):
    content: list[dict[str, Any]]
    structuredContent: dict[str, Any] | None = None
    isError: bool = False


class Tool(BaseModel):
    name: str
    inputSchema: dict[str, Any]
    outputSchema: dict[str, Any] | None = None


class ListToolsResult(BaseModel):
    tools: list[Tool]
    nextCursor: str | None = None


class ClientSession:
    """answers: by the tool's name, the wire form of its result. tools: the wire form of the listing."""

    def __init__(self, answers: Mapping[str, Any], tools: list[dict[str, Any]]) -> None:
        self.answers = answers
        self.tools = tools
        self.sent: list[tuple[str, Any]] = []
        self._tool_output_schemas: dict[str, dict[str, Any] | None] = {}

    async def send_request(
        self,
        request: tuple[str, Any],
        result_type: Any,
        request_read_timeout_seconds: timedelta | None = None,
        progress_callback: Any = None,
    ) -> Any:
        method, params = request
        assert request_read_timeout_seconds is None or isinstance(request_read_timeout_seconds, timedelta)
        self.sent.append((method, request_read_timeout_seconds))
        await anyio.lowlevel.checkpoint()
        answer = {"tools": self.tools} if method == "tools/list" else self.answers[params]
        return result_type.model_validate(answer)

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: timedelta | None = None,
        progress_callback: Any = None,
        *,
        meta: dict[str, Any] | None = None,
    ) -> CallToolResult:
        result: CallToolResult = await self.send_request(
            ("tools/call", name),
            CallToolResult,
            request_read_timeout_seconds=read_timeout_seconds,
            progress_callback=progress_callback,
        )
        if not result.isError:
            await self._validate_tool_result(name, result)
        return result

    async def list_tools(self, cursor: str | None = None) -> ListToolsResult:
        result: ListToolsResult = await self.send_request(("tools/list", cursor), ListToolsResult)
        self._tool_output_schemas.update({tool.name: tool.outputSchema for tool in result.tools})
        return result

    async def _validate_tool_result(self, name: str, result: CallToolResult) -> None:
        if name not in self._tool_output_schemas:
            await self.list_tools()
        schema = self._tool_output_schemas.get(name)
        if schema is None:
            return
        if result.structuredContent is None:
            raise RuntimeError(f"Tool {name} has an output schema but did not return structured content")
        try:
            jsonschema.validate(result.structuredContent, schema)
        except jsonschema.ValidationError as error:
            raise RuntimeError(f"Invalid structured content returned by tool {name}") from error
