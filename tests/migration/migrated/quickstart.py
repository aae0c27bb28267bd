"""A chat client after the tutorial: a class that holds its session."""

import json
from contextlib import AsyncExitStack
from typing import Any, Optional

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from typedtool import expect_object


class MCPClient:
    def __init__(self, session: Optional[ClientSession] = None) -> None:
        self.session: Optional[ClientSession] = session
        self.exit_stack = AsyncExitStack()

    async def connect_to_server(self, command: str) -> None:
        params = StdioServerParameters(command=command, args=[])
        read, write = await self.exit_stack.enter_async_context(stdio_client(params))
        self.session = await self.exit_stack.enter_async_context(ClientSession(read, write))
        await self.session.initialize()

    async def tools_for_model(self) -> list[dict[str, Any]]:
        assert self.session is not None
        response = await self.session.list_tools()
        # What the model's API wants to see.
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
            for tool in response.tools
        ]

    async def process(self, city: str) -> str:
        assert self.session is not None
        result = await self.session.call_tool("get-weather", {"city": city})
        if result.is_error:
            return "the tool failed"
        return f"{expect_object(result)['temp']} degrees, {expect_object(result)['conditions']}"


async def main(session: ClientSession) -> object:
    client = MCPClient(session)
    tools = await client.tools_for_model()
    return [json.dumps(tools[0]["input_schema"]), await client.process("Paris")]
