"""What a server sent arrives, whatever the SDK thinks of it, and the user's own calls stay as they are."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession
from mcp.client.session_group import ClientSessionGroup
from msgspec import UNSET

from connecting import (
    DRIVING,
    ERAS,
    KINDS,
    LEGACY,
    MODERN,
    SDK1,
    McpError,
    connect,
    connect_http,
    logged,
    text,
    tool,
)
from typedtool.clients.calls import call_tool, server_info
from typedtool.clients.faults import RpcError, refusal, rpc_error
from typedtool.clients.listing import Listing, list_tools
from typedtool.results.definitions import read_listing
from typedtool.results.reading import read

pytestmark = pytest.mark.anyio

OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
"""An outputSchema that the SDK holds results to."""

each_client = pytest.mark.parametrize("kind", KINDS)
each_loop = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
each_era = pytest.mark.parametrize("protocol", ERAS)
of_sdk_2 = pytest.mark.skipif(SDK1, reason="needs mcp 2.x")


async def result_of(
    client: object, name: str, arguments: dict[str, Any] | None = None, **options: Any
) -> Any:
    """What typedtool reads of the call: on SDK 1.x it is a dict, on 2.x a model."""
    return read(await call_tool(client, name, arguments, **options))


def names(listing: Listing) -> list[str]:
    return [definition.name for definition in read_listing(listing.tools)]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


# --- calling ------------------------------------------------------------------------------------------------


@each_loop
@each_client
@each_era
async def test_text_arrives_where_a_schema_demands_structured_content(kind: str, protocol: str) -> None:
    script = {"tools": [tool("t", OBJECT)], "answers": {"t": {"result": text('{"n": 1}')}}}
    async with connect(kind, script, protocol) as client:
        result = await result_of(client, "t", None)
        assert result.texts == ('{"n": 1}',)
        with pytest.raises(RuntimeError, match="did not return structured content"):
            await client.call_tool("t", {})


@each_client
@pytest.mark.parametrize("protocol", LEGACY)
async def test_every_revision_of_the_handshake_era_is_spoken(kind: str, protocol: str) -> None:
    async with connect(kind, {"answers": {"t": {"result": text("x")}}}, protocol) as client:
        result = await result_of(client, "t", {})
        assert result.text == "x"
        assert server_info(client).protocol in ((protocol,) if not SDK1 else (protocol, None))


@each_client
async def test_the_call_lists_nothing(kind: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = {"tools": [tool("t", OBJECT)], "answers": {"t": {"result": text("x")}}, "log": str(log)}
    async with connect(kind, script) as client:
        await call_tool(client, "t", None)
        assert logged(log, "tools/list") == []
        with pytest.raises(RuntimeError):
            await client.call_tool("t", {})  # the SDK's own call does, after the tool has run
        assert len(logged(log, "tools/list")) == 1


@each_loop
@each_client
@each_era
async def test_the_users_own_call_validates_at_the_same_time(kind: str, protocol: str) -> None:
    """The SDK's call is sent while ours is under way, and answered before it, and the other way round."""
    slow, quick = {"delay": 0.25, "result": text("x")}, {"result": text("y")}
    script = {"tools": [tool("t", OBJECT)], "answers": {"t": [slow, quick, quick, slow]}}
    seen: list[str] = []
    async with connect(kind, script, protocol) as client:

        async def ours() -> None:
            result = await result_of(client, "t")
            seen.append(result.text)

        async def theirs() -> None:
            with pytest.raises(RuntimeError, match="did not return structured content"):
                await client.call_tool("t", {})
            seen.append("refused")

        for first, second in ((ours, theirs), (ours, theirs)):
            async with anyio.create_task_group() as group:
                group.start_soon(first)
                await anyio.sleep(0.05)
                group.start_soon(second)
    assert sorted(seen) == ["refused", "refused", "x", "y"]
    assert seen[:2] == ["refused", "x"]


@each_loop
@of_sdk_2
async def test_a_server_in_the_same_process_that_is_a_client_itself_validates_its_own_calls() -> None:
    """An in-memory server runs in its client's context: that must not switch its own validation off."""
    from mcp import Client
    from mcp.server.mcpserver import MCPServer

    script = {"tools": [tool("t", OBJECT)], "answers": {"t": {"result": text("x")}}}
    async with connect("Client", script) as upstream:
        assert (await result_of(upstream, "t")).text == "x"  # so that its session has the gate
        server = MCPServer("outer")

        @server.tool()
        async def t() -> str:
            try:
                await upstream.call_tool("t", {})
            except RuntimeError:
                return "validated"
            return "not validated"

        async with Client(server) as client:
            result = await result_of(client, "t", None)
    assert result.text == "validated"


@each_client
@each_era
async def test_a_tool_failure_arrives_as_a_result(kind: str, protocol: str) -> None:
    failed = {"content": [], "structuredContent": {"why": "quota"}, "isError": True}
    async with connect(kind, {"answers": {"t": {"result": failed}}}, protocol) as client:
        result = await result_of(client, "t", None)
        assert (result.is_error, result.structured) == (True, {"why": "quota"})


@each_client
async def test_no_arguments_are_sent_as_an_empty_object(kind: str) -> None:
    async with connect(kind, {"answers": {"t": {"echo": "arguments"}}}) as client:
        result = await result_of(client, "t", None)
        assert result.structured == {}


@pytest.mark.skipif(
    "meta" not in inspect.signature(ClientSession.call_tool).parameters, reason="this SDK sends no meta"
)
@each_client
@each_era
async def test_meta_reaches_the_server(kind: str, protocol: str) -> None:
    async with connect(kind, {"answers": {"t": {"echo": "_meta"}}}, protocol) as client:
        result = await result_of(client, "t", None, meta={"example.com/trace": "abc"})
        assert result.structured["example.com/trace"] == "abc"


@each_loop
@each_client
@each_era
async def test_progress_is_reported(kind: str, protocol: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total, message))

    script = {
        "answers": {"t": {"progress": [[1, 2, "half"], [2, 2, "all"]], "delay": 0.2, "result": text("x")}}
    }
    async with connect(kind, script, protocol) as client:
        await call_tool(client, "t", None, progress=progress)
    assert seen == [(1, 2, "half"), (2, 2, "all")]


@each_loop
@each_client
@each_era
async def test_a_timeout_is_the_sdks_own_error_and_no_answer_of_the_server(kind: str, protocol: str) -> None:
    script = {"answers": {"t": {"silent": True}, "u": {"result": text("x")}}}
    async with connect(kind, script, protocol) as client:
        with pytest.raises(McpError) as caught:
            await call_tool(client, "t", None, timeout=0.2)
        assert rpc_error(caught.value) is None
        result = await result_of(client, "u", None, timeout=10)
        assert result.text == "x"


@each_loop
@each_client
async def test_a_cancelled_call_ends_and_the_session_goes_on(kind: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = {"answers": {"t": {"silent": True}, "u": {"result": text("x")}}, "log": str(log)}
    async with connect(kind, script) as client:
        with anyio.move_on_after(0.3) as scope:
            await call_tool(client, "t", None)
        assert scope.cancelled_caught
        result = await result_of(client, "u", None)
        assert result.text == "x"
    # SDK 1.x tells the server nothing.
    assert len(logged(log, "notifications/cancelled")) == (0 if SDK1 else 1)


@each_loop
@each_client
@each_era
async def test_a_lost_connection_is_the_sdks_own_error_and_no_answer_of_the_server(
    kind: str, protocol: str
) -> None:
    async with connect(kind, {"answers": {"t": {"exit": True}}}, protocol) as client:
        with pytest.raises(McpError, match="Connection closed") as caught:
            await call_tool(client, "t", None)
        assert rpc_error(caught.value) is None
        with pytest.raises((McpError, anyio.ClosedResourceError)) as again:
            await call_tool(client, "t", None)
        assert rpc_error(again.value) is None


@each_client
async def test_a_connection_lost_over_http_is_no_answer_of_the_server(kind: str) -> None:
    """The transport of SDK 2.x says it with a JSON-RPC error of its own making."""
    answers = {"stream": {"silent": True}, "session": {"status": 404}, "fine": {"result": text("x")}}
    async with connect_http(kind, {"answers": answers}) as client:
        assert (await result_of(client, "fine")).text == "x"
        for name in ("stream", "session"):
            with pytest.raises(McpError) as caught:
                await call_tool(client, name, None, timeout=1)
            assert rpc_error(caught.value) is None


@each_loop
@each_client
@each_era
async def test_a_json_rpc_error_is_what_the_server_said(kind: str, protocol: str) -> None:
    """Also with a code that the SDKs use for their own timeouts and lost connections."""
    codes = (-32602, -32000, -32001, -32600, 408, 7)
    bare = [{"code": code, "message": "no such thing"} for code in codes]
    full = [{**error, "data": {"near": ["t"]}} for error in bare]
    answers = [{"error": error} for error in (*bare, *full)]
    async with connect(kind, {"answers": {"t": answers}}, protocol) as client:
        for code, data in [(c, UNSET) for c in codes] + [(c, {"near": ["t"]}) for c in codes]:
            with pytest.raises(McpError) as caught:
                await call_tool(client, "t", None)
            assert rpc_error(caught.value) == RpcError(code, "no such thing", data)


def test_other_exceptions_are_no_json_rpc_errors() -> None:
    assert rpc_error(RuntimeError("x")) is None
    assert rpc_error(TimeoutError()) is None
    assert refusal(RuntimeError("x")) is None


# --- input that the server asks for -------------------------------------------------------------------------

ELICIT = {"mode": "form", "message": "Which city?", "requestedSchema": {"type": "object", "properties": {}}}
ASKS = {
    "result": {
        "resultType": "input_required",
        "inputRequests": {"city": {"method": "elicitation/create", "params": ELICIT}},
        "requestState": "s1",
    },
    "resumed": {"echo": "inputResponses"},
}


async def paris() -> dict[str, Any]:
    return {"city": "Paris"}


@each_loop
@of_sdk_2
@pytest.mark.parametrize("kind", DRIVING)
async def test_the_client_answers_input_required_itself(kind: str) -> None:
    script = {"tools": [tool("t", OBJECT)], "answers": {"t": ASKS}}
    async with connect(kind, script, MODERN, elicit=paris) as client:
        result = await result_of(client, "t", None)
    assert result.structured == {"city": {"action": "accept", "content": {"city": "Paris"}}}


@each_loop
@of_sdk_2
async def test_a_session_hands_input_required_on() -> None:
    async with connect("ClientSession", {"answers": {"t": ASKS}}, MODERN) as session:
        result: Any = await call_tool(session, "t", None)
    assert (result.result_type, result.request_state) == ("input_required", "s1")
    assert list(result.input_requests) == ["city"]


@each_loop
@each_client
async def test_an_elicitation_in_the_middle_of_a_call_is_answered(kind: str) -> None:
    script = {"answers": {"t": {"elicit": ELICIT}}}
    async with connect(kind, script, elicit=paris) as client:
        result = await result_of(client, "t", None)
    assert result.structured == {"action": "accept", "content": {"city": "Paris"}}


@each_loop
@of_sdk_2
@pytest.mark.parametrize("kind", DRIVING)
async def test_a_callback_of_the_user_that_calls_another_tool_has_it_validated(kind: str) -> None:
    """The driver of input_required runs the callback in the context of our call."""
    seen: list[str] = []

    async def answer() -> dict[str, Any]:
        with pytest.raises(RuntimeError, match="did not return structured content"):
            await client.call_tool("u", {})
        seen.append("refused")
        return await paris()

    script = {"tools": [tool("u", OBJECT)], "answers": {"t": ASKS, "u": {"result": text("x")}}}
    async with connect(kind, script, MODERN, elicit=answer) as client:
        await call_tool(client, "t", None)
    assert seen == ["refused"]


# --- what a client cannot do --------------------------------------------------------------------------------


class Plain:
    """A client of the user's own: no SDK, no keywords."""

    def __init__(self) -> None:
        self.called: list[tuple[str, object]] = []

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self.called.append((name, arguments))
        return {"content": []}

    async def list_tools(self) -> list[dict[str, Any]]:
        return [tool("a"), tool("b")]


async def test_any_object_with_call_tool_is_a_client() -> None:
    assert await call_tool(Plain(), "t", {"a": 1}) == {"content": []}
    assert await list_tools(Plain()) == Listing((tool("a"), tool("b")))


async def progress_to_nobody(*_: object) -> None:
    """Never called."""


@pytest.mark.parametrize("asked", [{"meta": {"a": 1}}, {"timeout": 1.0}, {"progress": progress_to_nobody}])
async def test_what_a_client_cannot_send_is_refused_before_the_call(asked: dict[str, Any]) -> None:
    client = Plain()
    with pytest.raises(TypeError, match=rf"call_tool cannot send {next(iter(asked))}.*nothing was sent"):
        await call_tool(client, "t", {}, **asked)
    assert client.called == []


async def test_what_is_no_client_is_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError, match="object has no call_tool: pass a ClientSession"):
        await call_tool(object(), "t", {})
    with pytest.raises(TypeError, match="object has no list_tools"):
        await list_tools(object())
    async with ClientSessionGroup() as group:
        with pytest.raises(TypeError, match="holds several sessions: pass the one that has the tool"):
            await call_tool(group, "t", {})


@of_sdk_2
async def test_a_client_that_is_not_connected_says_so() -> None:
    from mcp import Client
    from mcp.server.mcpserver import MCPServer

    with pytest.raises(RuntimeError, match="async context manager"):
        await call_tool(Client(MCPServer("x")), "t", {})


# --- listing ------------------------------------------------------------------------------------------------


@each_loop
@each_client
@each_era
async def test_all_pages_are_listed(kind: str, protocol: str) -> None:
    pages = [
        {"tools": [tool("a")], "nextCursor": "2"},
        {"tools": [], "nextCursor": "3"},
        {"tools": [tool("b"), tool("c", OBJECT)], "nextCursor": ""},
    ]
    async with connect(kind, {"list_pages": pages}, protocol) as client:
        listing = await list_tools(client)
    assert (names(listing), listing.fault, listing.notes) == (["a", "b", "c"], None, ())


@each_client
async def test_a_cursor_that_repeats_ends_the_listing(kind: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = {"list_pages": [{"tools": [tool("a")], "nextCursor": "MA=="}], "log": str(log)}
    async with connect(kind, script) as client:
        listing = await list_tools(client)
    assert (names(listing), listing.fault) == (["a"], None)
    assert listing.notes == ("the server gave the cursor 'MA==' twice: the listing ends there",)
    assert len(logged(log, "tools/list")) == 2


@each_client
async def test_cursors_without_end_are_followed_so_far_only(kind: str) -> None:
    async with connect(kind, {"list_pages": [{"endless": [tool("a"), tool("b")]}]}) as client:
        listing = await list_tools(client, max_pages=7)
    assert (names(listing), listing.fault) == (["a", "b"], None)
    assert listing.notes == ("the listing was left after 7 pages with more to come",)


@each_client
async def test_no_more_tools_than_asked_for_are_kept(kind: str) -> None:
    async with connect(kind, {"tools": [tool(f"t{i}") for i in range(50)]}) as client:
        listing = await list_tools(client, max_tools=20)
    assert len(listing.tools) == 20
    assert listing.notes == ("the listing was cut at 20 tools",)


@each_client
async def test_a_name_listed_twice_keeps_the_first(kind: str) -> None:
    async with connect(kind, {"tools": [tool("a", title="1"), tool("a", title="2")]}) as client:
        listing = await list_tools(client)
    (kept,) = listing.tools
    assert (kept["title"] if isinstance(kept, dict) else kept.title) == "1"  # type: ignore[attr-defined]
    assert listing.notes == ("tool 'a' is listed twice, differently: the first is kept",)


@each_client
@each_era
async def test_a_page_that_fails_leaves_what_was_read_before(kind: str, protocol: str) -> None:
    error = {"code": -32603, "message": "page lost"}
    pages = [{"tools": [tool("a")], "nextCursor": "2"}, {"error": error}]
    async with connect(kind, {"list_pages": pages}, protocol) as client:
        listing = await list_tools(client)
    assert names(listing) == ["a"]
    assert listing.fault is not None
    assert rpc_error(listing.fault) == RpcError(-32603, "page lost")


@of_sdk_2
@each_client
async def test_a_listing_that_the_sdk_refuses_names_the_way_out(kind: str) -> None:
    """One outputSchema whose root is no object loses the whole listing of a 2025-era session."""
    async with connect(kind, {"tools": [tool("a"), tool("b", {"type": "array"})]}) as client:
        listing = await list_tools(client)
    assert listing.tools == ()
    assert type(listing.fault).__name__ == "ValidationError"
    assert len(listing.notes) == 1
    assert (
        "at tools.1.outputSchema.type): wrap the transport with typedtool.tolerant(...)" in listing.notes[0]
    )


@of_sdk_2
@each_client
async def test_a_result_that_the_sdk_refuses_names_the_way_out(kind: str) -> None:
    answers = {"t": {"result": {"content": [], "structuredContent": [1]}}}
    async with connect(kind, {"answers": answers}) as client:
        with pytest.raises(ValueError, match="structuredContent") as caught:
            await call_tool(client, "t", None)
        assert "wrap the transport with typedtool.tolerant(...)" in (refusal(caught.value, client) or "")
    async with connect(kind, {"answers": {"t": {"result": {}}}}, MODERN) as client:
        with pytest.raises(ValueError, match="content") as caught:
            await call_tool(client, "t", None)
        why = refusal(caught.value, client)
        assert why is not None and "tolerant" not in why  # it changes nothing there


@each_loop
@pytest.mark.skipif(not SDK1, reason="needs mcp 1.x")
@each_client
async def test_on_sdk_1_what_its_models_refuse_arrives(kind: str) -> None:
    answers = {
        "array": {"result": {"content": [], "structuredContent": [1]}},
        "no content": {"result": {"structuredContent": {"n": 1}}},
        "unknown block": {"result": {"content": [{"type": "weird"}], "isError": True}},
    }
    listed = [tool("array", {"type": "array"}), {"name": "no inputSchema"}]
    async with connect(kind, {"tools": listed, "answers": answers}) as client:
        for name, answer in answers.items():
            assert await call_tool(client, name, None) == answer["result"]
        assert await list_tools(client) == Listing(tuple(listed))
        with pytest.raises(ValueError, match="structuredContent"):
            await client.call_tool("array", {})


@each_client
async def test_a_listing_can_be_cancelled(kind: str) -> None:
    async with connect(kind, {"list_pages": [{"delay": 5, "tools": []}]}) as client:
        with anyio.move_on_after(0.2) as scope:
            await list_tools(client)
    assert scope.cancelled_caught


@of_sdk_2
async def test_refresh_goes_past_the_clients_cache(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = {"list_pages": [{"tools": [tool("a")], "ttlMs": 60_000}], "log": str(log)}
    async with connect("Client", script, MODERN) as client:
        for refresh, requests in ((False, 1), (False, 1), (True, 2)):
            assert names(await list_tools(client, refresh=refresh)) == ["a"]
            assert len(logged(log, "tools/list")) == requests


@of_sdk_2
async def test_a_server_in_memory_is_listed_and_called() -> None:
    from mcp import Client
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("x")

    @server.tool()
    def t() -> int:
        return 1

    async with Client(server) as client:
        listing = await list_tools(client)
        assert (names(listing), listing.fault) == (["t"], None)
        result = await result_of(client, "t", None)
        assert result.structured == {"result": 1}


# --- imports ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["calls", "listing", "faults", "transports"])
def test_importing_loads_no_sdk(module: str) -> None:
    heavy = ("mcp", "mcp_types", "fastmcp", "pydantic", "anyio", "asyncio", "jsonschema")
    code = f"import typedtool.clients.{module}, sys; print([m for m in {heavy!r} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
