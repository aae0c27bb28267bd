"""The gate on a session of SDK 1.x: what was on the wire arrives, and the SDK's own calls stay as they are."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import anyio
import pytest
from msgspec import UNSET

from connecting import ANY, text, tool
from sdk1_session import CallToolResult, ClientSession, ListToolsResult
from typedtool import TypedTool
from typedtool.clients.calls import call_tool
from typedtool.clients.listing import list_tools
from typedtool.results.definitions import read_listing
from typedtool.results.reading import read

pytestmark = pytest.mark.anyio

OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def session_of(answer: Any, output: Any = OBJECT) -> ClientSession:
    return ClientSession({"t": answer, "u": text("y")}, [tool("t", output), tool("u", OBJECT)])


async def test_text_arrives_where_a_schema_demands_structured_content() -> None:
    session = session_of(text('{"n": 1}'))
    assert await call_tool(session, "t", {}) == text('{"n": 1}')
    with pytest.raises(RuntimeError, match="did not return structured content"):
        await session.call_tool("t", {})


async def test_a_call_sends_one_request_and_lists_nothing() -> None:
    session = session_of(text("x"))
    await call_tool(session, "t", {})
    assert [method for method, _ in session.sent] == ["tools/call"]


@pytest.mark.parametrize("value", [[1, 2], 3, "x", None, {"n": 1}])
async def test_structured_content_of_any_kind_arrives_as_it_was_on_the_wire(value: object) -> None:
    session = session_of({"content": [], "structuredContent": value})
    result: Any = read(await call_tool(session, "t", {}))
    assert result.structured == value and result.structured is not UNSET


async def test_absent_structured_content_stays_absent() -> None:
    result: Any = read(await call_tool(session_of({"content": []}), "t", {}))
    assert result.structured is UNSET


async def test_a_failure_that_the_model_refuses_is_still_a_failure() -> None:
    failed = {"content": [], "structuredContent": ["why"], "isError": True}
    result: Any = read(await call_tool(session_of(failed), "t", {}))
    assert (result.is_error, result.structured) == (True, ["why"])


async def test_the_users_own_call_gets_the_sdks_model() -> None:
    session = session_of({"content": [], "structuredContent": {"n": 1}})
    await call_tool(session, "t", {})
    result = await session.call_tool("t", {})
    assert isinstance(result, CallToolResult)
    assert result.structuredContent == {"n": 1}


async def test_the_users_own_call_is_validated_while_ours_is_under_way() -> None:
    session = session_of(text("x"))
    seen: list[str] = []

    async def theirs() -> None:
        with pytest.raises(RuntimeError, match="did not return structured content"):
            await session.call_tool("t", {})
        seen.append("refused")

    async def ours() -> None:
        result: Any = read(await call_tool(session, "t", {}))
        seen.append(result.text)

    async with anyio.create_task_group() as group:
        for each in (ours, theirs, ours, theirs):
            group.start_soon(each)
    assert sorted(seen) == ["refused", "refused", "x", "x"]


async def test_another_request_in_the_middle_of_our_call_is_answered_as_the_sdk_does() -> None:
    session = session_of({"content": [], "structuredContent": [1]})
    found: list[Any] = []
    plain = session.send_request

    async def calling_another(request: Any, result_type: Any, *args: Any, **keywords: Any) -> Any:
        if request == ("tools/call", "t"):
            found.append(await session.list_tools())
            with pytest.raises(RuntimeError, match="did not return structured content"):
                await session.call_tool("u", {})
        return await plain(request, result_type, *args, **keywords)

    session.send_request = calling_another  # type: ignore[method-assign]
    result: Any = read(await call_tool(session, "t", {}))
    assert result.structured == [1]
    assert isinstance(found[0], ListToolsResult)


async def test_the_gate_is_put_on_a_session_once() -> None:
    session = session_of(text("x"))
    await call_tool(session, "t", {})
    gated = session.send_request
    await call_tool(session, "t", {})
    assert session.send_request is gated


async def test_seconds_are_sent_as_the_sdk_takes_them() -> None:
    session = session_of(text("x"))
    await call_tool(session, "t", {}, timeout=1.5)
    assert session.sent == [("tools/call", timedelta(seconds=1.5))]


async def test_a_listing_that_the_model_refuses_is_listed_as_it_was_on_the_wire() -> None:
    session = ClientSession({}, [tool("a", [1]), tool("b", OBJECT)])
    listing = await list_tools(session)
    assert listing.fault is None
    assert [d.output_schema for d in read_listing(listing.tools)] == [[1], OBJECT]


async def test_a_bound_tool_reads_text_through_the_gate() -> None:
    session: Any = session_of(text('{"n": 1}'), ANY)
    bound = await TypedTool[None, dict[str, int]]("t").bind(session)
    assert await bound() == {"n": 1}


class Wrapping:
    """A client around a session that makes something of its own of what the session gives, as FastMCP's does."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        result = await self.session.call_tool(name, arguments)
        return {"content": result.content, "structuredContent": {"wrapped": result.structuredContent}}

    async def list_tools(self, cursor: str | None = None) -> Any:
        pages = [await self.session.list_tools(), await self.session.list_tools("2")]
        assert all(isinstance(page, ListToolsResult) for page in pages)
        return [tool for page in pages for tool in page.tools]


async def test_what_a_client_makes_of_a_result_is_what_arrives() -> None:
    client = Wrapping(session_of({"content": [], "structuredContent": {"n": 1}}))
    assert (await call_tool(client, "t", {})) == {
        "content": [],
        "structuredContent": {"wrapped": {"n": 1}},
    }


async def test_a_client_that_pages_by_itself_gets_every_page_as_a_model() -> None:
    listing = await list_tools(Wrapping(session_of(text("x"))))
    assert [d.name for d in read_listing(listing.tools)] == ["t", "u"]
