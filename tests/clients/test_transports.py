"""`tolerant`: what SDK 2.x refuses on a 2025-era session arrives, and nothing else changes."""

from __future__ import annotations

import copy
import json
import sys
from typing import Any

import anyio
import mcp_types
import mcp_types.methods
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, ClientSession, StdioServerParameters
from mcp.client._memory import InMemoryTransport
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import MCPServer
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from connecting import KINDS, LEGACY, MODERN, SERVERS, as_is, connect, connect_http, text, tool
from typedtool.clients.calls import call_tool
from typedtool.clients.faults import refusal
from typedtool.clients.fitting import fit_result, fit_tool
from typedtool.clients.listing import list_tools
from typedtool.clients.transports import tolerant
from typedtool.results.definitions import read_listing
from typedtool.values.keys import CONTENT_KEY, INPUT_KEY, SCHEMA_KEY, STRUCTURED_KEY

pytestmark = pytest.mark.anyio

each_client = pytest.mark.parametrize("kind", KINDS)

WEIRD = [{"type": "weird"}, {"type": "text", "text": "x"}]
REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # name: (the result as the server sends it, what `_meta` keeps of it)
    "array": ({"content": [], "structuredContent": [1, {"a": None}]}, {STRUCTURED_KEY: [1, {"a": None}]}),
    "number": ({"content": [], "structuredContent": 5}, {STRUCTURED_KEY: 5}),
    "string": ({"content": [], "structuredContent": "s"}, {STRUCTURED_KEY: "s"}),
    "false": ({"content": [], "structuredContent": False}, {STRUCTURED_KEY: False}),
    "no content": ({"structuredContent": {"a": 1}}, {}),
    "null content": ({"content": None, "structuredContent": {"a": 1}}, {CONTENT_KEY: None}),
    "unknown block": ({"content": WEIRD}, {CONTENT_KEY: WEIRD}),
    "text without text": ({"content": [{"type": "text"}]}, {CONTENT_KEY: [{"type": "text"}]}),
    "a failure": ({"content": [], "structuredContent": ["e"], "isError": True}, {STRUCTURED_KEY: ["e"]}),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


# --- results ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
@each_client
@pytest.mark.parametrize("protocol", LEGACY)
async def test_what_the_sdk_refuses_arrives(kind: str, protocol: str) -> None:
    answers = {name: {"result": sent} for name, (sent, _) in REFUSED.items()}
    async with connect(kind, {"answers": answers}, protocol, tolerant) as client:
        for name, (sent, kept) in REFUSED.items():
            result: Any = await call_tool(client, name, None)
            assert {k: v for k, v in (result.meta or {}).items() if k.startswith("typedtool/")} == kept
            assert result.is_error is sent.get("isError", False)
            if STRUCTURED_KEY in kept:  # what a user who reads it alone can see
                assert result.structured_content == {"result": kept[STRUCTURED_KEY]}
            else:
                assert result.structured_content == sent.get("structuredContent")


@each_client
async def test_without_it_the_sdk_refuses_each_of_these(kind: str) -> None:
    """Should an SDK stop to refuse one, `tolerant` has one reason less."""
    answers = {name: {"result": sent} for name, (sent, _) in REFUSED.items()}
    async with connect(kind, {"answers": answers}, wrap=as_is) as client:
        for name in REFUSED:
            with pytest.raises(ValidationError) as caught:
                await call_tool(client, name, None)
            assert refusal(caught.value, client) is not None


@each_client
async def test_what_the_sdk_refuses_arrives_over_http_too(kind: str) -> None:
    """As JSON, and in an event stream behind a notification."""
    log = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
    answers = {
        **{name: {"result": sent} for name, (sent, _) in REFUSED.items()},
        **{f"{name}, streamed": {"result": sent, "notify": [log]} for name, (sent, _) in REFUSED.items()},
    }
    script = {"tools": [tool("array", {"type": "array"})], "answers": answers}
    async with connect_http(kind, script, tolerant) as client:
        assert (await list_tools(client)).fault is None
        for name, (_, kept) in REFUSED.items():
            for each in (name, f"{name}, streamed"):
                result: Any = await call_tool(client, each, None)
                assert {k: v for k, v in (result.meta or {}).items() if k.startswith("typedtool/")} == kept


@each_client
async def test_what_the_sdk_takes_is_left_as_it_is(kind: str) -> None:
    sent = {
        "content": [
            {"type": "text", "text": "x", "annotations": {"audience": ["user"], "priority": 0.5}},
            {
                "type": "resource_link",
                "name": "n",
                "uri": "file:///n",
                "title": "N",
                "size": 3,
                "icons": [{"src": "i"}],
            },
            {"type": "resource", "resource": {"uri": "file:///n", "text": "x"}},
        ],
        "structuredContent": {"result": [1]},
        "_meta": {"example.com/a": 1},
    }
    seen = []
    for wrap in (as_is, tolerant):
        script = {
            "answers": {"t": {"result": sent}, "n": {"result": {"content": [], "structuredContent": None}}}
        }
        async with connect(kind, script, wrap=wrap) as client:
            seen.append([await call_tool(client, name, None) for name in ("t", "n")])
    assert seen[0] == seen[1]
    assert "structured_content" in seen[1][1].model_fields_set  # null is not absent


@each_client
async def test_the_users_own_call_works_and_validates(kind: str) -> None:
    listed = [tool("list", {"type": "array", "items": {"type": "integer"}}), tool("int", {"type": "integer"})]
    wrong = {"content": [], "structuredContent": {"n": "x"}}
    answers = {
        "list": [{"result": {"content": [], "structuredContent": [1]}}, {"result": text("only")}],
        "int": {"result": {"content": [], "structuredContent": None}},
        "object": {"result": wrong},
    }
    objects = tool("object", {"type": "object", "properties": {"n": {"type": "integer"}}})
    async with connect(kind, {"tools": [*listed, objects], "answers": answers}, wrap=tolerant) as client:
        assert (await client.call_tool("list", {})).structured_content == {"result": [1]}
        with pytest.raises(RuntimeError, match="did not return structured content"):
            await client.call_tool("list", {})
        assert (await client.call_tool("int", {})).structured_content == {"result": None}
        with pytest.raises(RuntimeError, match="Invalid structured content"):
            await client.call_tool("object", {})


@each_client
async def test_keys_of_ours_that_a_server_sends_are_dropped(kind: str) -> None:
    meta = {STRUCTURED_KEY: "forged", CONTENT_KEY: [], SCHEMA_KEY: {}, "example.com/a": 1}
    result = {"content": [], "structuredContent": {"a": 1}, "_meta": meta}
    script = {"tools": [tool("t", _meta=meta)], "answers": {"t": {"result": result}}}
    async with connect(kind, script, wrap=tolerant) as client:
        called: Any = await call_tool(client, "t", None)
        assert called.meta == {"example.com/a": 1}
        (listed,) = (await list_tools(client)).tools
        assert listed.meta == {"example.com/a": 1}  # type: ignore[attr-defined]


@each_client
async def test_errors_and_progress_pass(kind: str) -> None:
    seen: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append(done)

    answer = {"progress": [[1, 2, "half"]], "delay": 0.1, "result": {"content": [], "structuredContent": [1]}}
    answers = {"t": answer, "e": {"error": {"code": -32602, "message": "no"}}}
    async with connect(kind, {"answers": answers}, wrap=tolerant) as client:
        result: Any = await call_tool(client, "t", None, progress=progress)
        assert (result.meta, seen) == ({STRUCTURED_KEY: [1]}, [1])
        with pytest.raises(Exception, match="no"):
            await call_tool(client, "e", None)


async def test_answers_find_their_requests_among_many() -> None:
    answers = {
        str(n): {"delay": 0.001 * (n % 7), "result": {"content": [], "structuredContent": n}}
        for n in range(60)
    }
    seen: dict[int, object] = {}
    async with connect("Client", {"answers": answers}, wrap=tolerant) as client:

        async def call(n: int) -> None:
            result: Any = await call_tool(client, str(n), None)
            seen[n] = result.meta[STRUCTURED_KEY]

        async with anyio.create_task_group() as group:
            for n in range(60):
                group.start_soon(call, n)
    assert seen == {n: n for n in range(60)}


async def test_an_id_that_comes_back_as_a_string_is_the_same_id() -> None:
    raw = '{"jsonrpc": "2.0", "id": "$id", "result": {"content": [], "structuredContent": [1]}}'
    async with connect("Client", {"answers": {"t": {"raw": raw}}}, wrap=tolerant) as client:
        result: Any = await call_tool(client, "t", None, timeout=5)
    assert result.meta == {STRUCTURED_KEY: [1]}


# --- listings -----------------------------------------------------------------------------------------------


@each_client
async def test_a_listing_with_schemas_that_are_no_objects_is_read_whole(kind: str) -> None:
    roots: list[Any] = [
        {"type": "array"},
        {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}},
        {"type": ["object", "null"]},
        {},
        True,
        {"type": "object", "required": "n"},
        {"type": "object", "properties": {"n": 1}},
    ]
    script = {
        "tools": [tool("fine", {"type": "object"}), *(tool(str(i), root) for i, root in enumerate(roots))]
    }
    async with connect(kind, script, wrap=tolerant) as client:
        listing = await list_tools(client)
    tools: Any = listing.tools
    assert listing.fault is None
    assert (tools[0].name, tools[0].meta) == ("fine", None)
    assert [d.output_schema for d in read_listing(listing.tools)[1:]] == roots
    assert [t.meta for t in tools[1:-1]] == [{SCHEMA_KEY: root} for root in roots[:-1]]


@each_client
async def test_null_is_wrapped_only_while_the_listed_schema_is_a_rewritten_one(kind: str) -> None:
    script = {
        "tools": [tool("t", {"type": "integer"})],
        "list_pages_after": [{"tools": [tool("t")]}],
        "answers": {"t": {"result": {"content": [], "structuredContent": None}}},
    }
    async with connect(kind, script, wrap=tolerant) as client:
        await list_tools(client)
        first: Any = await call_tool(client, "t", None)
        await list_tools(client, refresh=True)
        second: Any = await call_tool(client, "t", None)
    assert (first.structured_content, first.meta) == ({"result": None}, {STRUCTURED_KEY: None})
    assert (second.structured_content, second.meta) == (None, None)


@each_client
async def test_an_input_schema_that_does_not_say_object_loses_no_listing(kind: str) -> None:
    script = {
        "tools": [
            {"name": "none"},
            {"name": "bare", "inputSchema": {"properties": {"a": {"type": "string"}}}},
            {"name": "bad", "inputSchema": {"type": "object", "properties": []}},
        ]
    }
    async with connect(kind, script, wrap=tolerant) as client:
        listing = await list_tools(client)
    none, bare, bad = listing.tools  # type: Any, Any, Any
    assert listing.fault is None
    assert (none.input_schema, none.meta) == ({"type": "object"}, None)
    assert bare.input_schema == {"type": "object", "properties": {"a": {"type": "string"}}}
    assert bad.input_schema == {"type": "object"}
    assert bad.meta == {INPUT_KEY: {"type": "object", "properties": []}}


# --- the modern revision ------------------------------------------------------------------------------------


@each_client
async def test_modern_sessions_are_left_alone(kind: str) -> None:
    meta = {STRUCTURED_KEY: "the server's own"}
    result = {"content": [], "structuredContent": [1], "_meta": meta}
    script = {"tools": [tool("t", {"type": "array"})], "answers": {"t": {"result": result}}}
    async with connect(kind, script, MODERN, tolerant) as client:
        called: Any = await call_tool(client, "t", None)
        assert (called.structured_content, called.meta) == ([1], meta)
        (listed,) = (await list_tools(client)).tools  # type: Any
        assert (listed.output_schema, listed.meta) == ({"type": "array"}, None)


async def test_a_session_that_shakes_no_hands_is_of_2025() -> None:
    """The SDK holds one that skipped the handshake to 2025-11-25."""
    answers = {"t": {"result": {"content": [], "structuredContent": [1]}}}
    server = StdioServerParameters(
        command=sys.executable, args=[str(SERVERS / "scripted.py"), json.dumps({"answers": answers})]
    )
    async with stdio_client(server) as streams, ClientSession(*tolerant(streams)) as session:
        result: Any = await call_tool(session, "t", None)
    assert result.meta == {STRUCTURED_KEY: [1]}


# --- what can be wrapped ------------------------------------------------------------------------------------


async def test_an_in_memory_transport_can_be_wrapped() -> None:
    server = MCPServer("x")

    @server.tool()
    def t() -> list[int]:
        return [1]

    async with Client(tolerant(InMemoryTransport(server)), mode="legacy") as client:
        result: Any = await call_tool(client, "t", None)
        assert result.structured_content == {"result": [1]}
        assert result.meta is None


def test_wrapping_twice_is_wrapping_once() -> None:
    once = tolerant(stdio_client(StdioServerParameters(command="x")))
    assert tolerant(once) is once
    pair = tolerant((object(), object()))
    assert tolerant(pair) == pair


def test_what_comes_with_the_streams_stays() -> None:
    """streamablehttp_client of SDK 1.x gives a function beside its two streams."""
    assert tolerant((object(), object(), len))[2] is len


async def test_what_is_no_transport_is_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError, match=r"wraps the transport, not the client: Client\(tolerant"):
        tolerant(Client(MCPServer("x")))
    with pytest.raises(TypeError, match=r"takes a transport, such as stdio_client\(\.\.\.\).* not a str"):
        tolerant("https://example.com/mcp")


async def test_the_streams_keep_their_other_methods() -> None:
    left, right = anyio.create_memory_object_stream[Any](3)
    read, write = tolerant((right, left))
    item = SessionMessage(mcp_types.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized"))
    write.send_nowait(item)
    assert write.statistics().current_buffer_used == 1
    assert read.receive_nowait() is item
    async with write.clone() as other:
        await other.send(called(7))
    assert read.receive_nowait().message.id == 7
    async with read.clone() as other:
        left.send_nowait(answered(7))
        assert (await other.receive()).message.result["_meta"] == {STRUCTURED_KEY: 1}
    left.send_nowait(ValueError("of the transport"))
    assert isinstance(await read.receive(), ValueError)
    await write.aclose()
    assert [each async for each in read] == []
    await read.aclose()


def called(number: int) -> SessionMessage:
    params = {"name": "t", "arguments": {}}
    return SessionMessage(
        mcp_types.JSONRPCRequest(jsonrpc="2.0", id=number, method="tools/call", params=params)
    )


def answered(number: int) -> SessionMessage:
    result = {"content": [], "structuredContent": 1}
    return SessionMessage(mcp_types.JSONRPCResponse(jsonrpc="2.0", id=number, result=result))


async def test_answers_that_never_come_take_no_memory_for_ever() -> None:
    left, right = anyio.create_memory_object_stream[Any](1)
    read, write = tolerant((right, left))
    waiting = write._connection._waiting  # nothing public shows it
    for number in range(30_000):
        write.send_nowait(called(number))
        right.receive_nowait()
    assert len(waiting) <= 10_000
    left.send_nowait(answered(29_999))
    assert read.receive_nowait().message.result["_meta"] == {STRUCTURED_KEY: 1}
    for number in range(30_000):
        cancelled = {"requestId": number}
        write.send_nowait(
            SessionMessage(
                mcp_types.JSONRPCNotification(
                    jsonrpc="2.0", method="notifications/cancelled", params=cancelled
                )
            )
        )
        right.receive_nowait()
    assert len(waiting) == 0
    await write.aclose()
    await read.aclose()


# --- against the SDK's own wire types -----------------------------------------------------------------------

json_values: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


class Exactly:
    """A field of no other kinds: the SDK takes a number for "3", which `tolerant` does not."""

    def __init__(self, of: Any) -> None:
        self.of = of


def nearly(fields: dict[str, Any]) -> Any:
    """Objects with these fields, each there or not, each of its own kind or, seldom, of any."""
    each = {
        name: of.of if isinstance(of, Exactly) else st.one_of(of, of, of, json_values)
        for name, of in fields.items()
    }
    return st.fixed_dictionaries({}, optional=each)


strings = st.text(max_size=3)
annotations = nearly(
    {
        "audience": st.lists(st.sampled_from(["user", "assistant", "x"])),
        "priority": Exactly(st.none() | st.floats(0, 2) | st.lists(strings)),
    }
)
icons = st.lists(
    nearly({"src": strings, "sizes": st.lists(strings), "theme": st.sampled_from(["light", "x"])}), max_size=2
)
optional: dict[str, Any] = {
    "title": strings,
    "size": Exactly(st.none() | st.integers() | st.floats(0, 9) | st.lists(strings)),
    "icons": icons,
    "annotations": annotations,
    "_meta": st.dictionaries(strings, json_values, max_size=1),
}
required: dict[str, dict[str, Any]] = {
    "text": {"text": strings},
    "image": {"data": strings, "mimeType": strings},
    "resource": {"resource": nearly({"uri": strings, "text": strings, "blob": strings, "mimeType": strings})},
    "resource_link": {"name": strings, "uri": strings},
    "weird": {},
}
blocks = st.sampled_from(sorted(required)).flatmap(
    lambda kind: nearly({**required[kind], **optional}).map(lambda block: {"type": kind, **block})
)
results = st.fixed_dictionaries(
    {},
    optional={
        "content": st.lists(blocks, max_size=3) | json_values,
        "structuredContent": json_values,
        "isError": st.booleans(),
    },
)
roots = nearly(
    {
        "type": st.sampled_from(["object", "object", "object", "array"]),
        "properties": st.dictionaries(strings, st.booleans() | nearly({"type": strings}), max_size=2),
        "required": st.lists(strings, max_size=2),
        "$schema": strings,
    }
)
definitions = st.fixed_dictionaries(
    {"name": strings}, optional={"inputSchema": roots | json_values, "outputSchema": roots | json_values}
)


def accepted(method: str, result: dict[str, Any]) -> bool:
    try:
        mcp_types.methods.validate_server_result(method, "2025-11-25", copy.deepcopy(result))
    except ValidationError:
        return False
    return True


@settings(max_examples=200, deadline=None)
@given(results)
def test_any_result_is_made_to_fit_and_one_that_fits_is_left(result: dict[str, Any]) -> None:
    before = copy.deepcopy(result)
    fitted = fit_result(result)
    assert result == before
    assert accepted("tools/call", fitted)
    if accepted("tools/call", result):
        assert fitted is result
    else:
        meta = fitted.get("_meta", {})
        original = {"content": meta.get(CONTENT_KEY, fitted["content"])} if "content" in result else {}
        if "structuredContent" in result:
            original["structuredContent"] = meta.get(STRUCTURED_KEY, fitted["structuredContent"])
        assert original == {k: v for k, v in result.items() if k != "isError"}


@settings(max_examples=200, deadline=None)
@given(definitions)
def test_any_tool_is_made_to_fit_and_one_that_fits_is_left(definition: dict[str, Any]) -> None:
    before = copy.deepcopy(definition)
    fitted = fit_tool(definition)
    assert definition == before
    assert accepted("tools/list", {"tools": [fitted]})
    if accepted("tools/list", {"tools": [definition]}):
        assert fitted is definition
    elif definition.get("outputSchema") is not None and SCHEMA_KEY not in fitted.get("_meta", {}):
        assert fitted["outputSchema"] == definition["outputSchema"]
