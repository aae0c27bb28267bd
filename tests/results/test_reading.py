"""Reading results: every form that they come in says the same."""

from __future__ import annotations

import json
from collections import UserDict
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import UNSET

from typedtool import (
    Budget,
    InputRequired,
    Mismatch,
    MismatchError,
    Problem,
    ToolFailed,
    ToolFailedError,
    ToolResult,
    expect_array,
    expect_object,
    structured,
)
from typedtool.results.reading import read
from typedtool.values.keys import CONTENT_KEY, STRUCTURED_KEY

mcp_types = pytest.importorskip("mcp_types", reason="the models of SDK 2.x")

TEXT = {"type": "text", "text": "hi"}


def sdk(wire: dict[str, Any]) -> Any:
    return mcp_types.CallToolResult.model_validate(wire)


@pytest.mark.parametrize("present", [True, False])
def test_absent_and_null_stay_apart(present: bool) -> None:
    wire: dict[str, Any] = {"content": [TEXT], **({"structuredContent": None} if present else {})}
    expected = None if present else UNSET
    for source in (
        wire,
        json.dumps(wire),
        json.dumps(wire).encode(),
        bytearray(json.dumps(wire), "utf-8"),
        memoryview(json.dumps(wire).encode()),
        sdk(wire),
    ):
        reading = read(source)
        assert isinstance(reading, ToolResult)
        assert reading.structured is expected
        assert reading.text == "hi"
        assert reading.raw is source


def test_a_fastmcp_result_is_read_and_its_none_is_absent() -> None:
    """FastMCP's own dataclass has no way to tell null from absent."""
    result = SimpleNamespace(
        content=[mcp_types.TextContent(type="text", text="hi")],
        structured_content=None,
        meta=None,
        data=None,
        is_error=False,
    )
    reading = read(result)
    assert isinstance(reading, ToolResult)
    assert reading.structured is UNSET
    result.structured_content = {"a": 1}
    reading = read(result)
    assert isinstance(reading, ToolResult)
    assert reading.structured == {"a": 1}


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [TEXT]}},
        {"id": 1, "result": {"content": [TEXT]}},
    ],
    ids=["whole", "without jsonrpc"],
)
def test_a_json_rpc_response_is_its_result(message: dict[str, Any]) -> None:
    for source in (message, json.dumps(message), b"\xef\xbb\xbf" + json.dumps(message).encode()):
        reading = read(source)
        assert isinstance(reading, ToolResult)
        assert reading.text == "hi"


def test_an_sdk_message_is_its_result_or_its_error() -> None:
    response = mcp_types.JSONRPCResponse(jsonrpc="2.0", id=1, result={"content": [TEXT]})
    reading = read(response)
    assert isinstance(reading, ToolResult)
    assert reading.text == "hi"
    error = mcp_types.JSONRPCError(jsonrpc="2.0", id=1, error=mcp_types.ErrorData(code=-32602, message="no"))
    failed = read(error)
    assert isinstance(failed, ToolFailed)
    assert (failed.code, failed.text) == (-32602, "no")


RESULT_TYPE = 'the resultType "complete" or "input_required"'
BLOCK_TYPE = "a content block of a known type"


@pytest.mark.parametrize(
    ("source", "path", "expected", "received"),
    [
        ({"jsonrpc": "2.0", "id": 1}, "$", "a JSON-RPC response", "a message without a result"),
        (
            {"jsonrpc": "2.0", "id": 1, "result": [1]},
            "$",
            "a JSON-RPC response",
            "a message without a result",
        ),
        ({"jsonrpc": "2.0", "method": "ping"}, "$", "a JSON-RPC response", "a message without a result"),
        ({"id": 1, "error": "no"}, "$", "a JSON-RPC response", "a message without a result"),
        ({}, "$", "a CallToolResult", "an object with neither content nor structuredContent"),
        ({"id": 1}, "$", "a CallToolResult", "an object with neither content nor structuredContent"),
        (
            {"result": {"content": []}},
            "$",
            "a CallToolResult",
            "an object with neither content nor structuredContent",
        ),
        ({"content": {}}, "$.content", "an array", "object"),
        ({"content": "x", "structuredContent": 1}, "$.content", "an array", "string"),
        ({"content": ["x"]}, "$.content[0].type", BLOCK_TYPE, "null"),
        ({"content": [TEXT, {"type": 5}]}, "$.content[1].type", BLOCK_TYPE, "integer"),
        ({"content": [{"type": 5}], "structuredContent": 1}, "$.content[0].type", BLOCK_TYPE, "integer"),
        ({"content": [{"type": "chart"}]}, "$.content[0].type", BLOCK_TYPE, "another type"),
        ({"content": [{"type": "text", "text": None}]}, "$.content[0].text", "string", "nothing"),
        ({"content": [{"type": "text", "text": [1]}]}, "$.content[0].text", "string", "array"),
        (
            {"content": [TEXT, {"type": "text", "text": "\ud83d"}]},
            "$.content[1].text",
            "Unicode text",
            "a lone surrogate",
        ),
        ({"content": [], "isError": "yes"}, "$.isError", "a boolean", "string"),
        ({"content": [], "isError": 1}, "$.isError", "a boolean", "integer"),
        ({"content": [], "resultType": "task"}, "$.resultType", RESULT_TYPE, "another one"),
        ("[1]", "$", "a CallToolResult", "array"),
        ("not json", "$", "a CallToolResult as JSON", "text that is not JSON"),
        ("\ud83d", "$", "a CallToolResult as JSON", "a lone surrogate"),
        (
            '{"content": [{"type": "text", "text": "\\ud83d"}]}',
            "$",
            "a CallToolResult as JSON",
            "a lone surrogate",
        ),
        (
            '{"content": [], "structuredContent": NaN}',
            "$",
            "a CallToolResult as JSON",
            "text that is not JSON",
        ),
        (5, "$", "a CallToolResult", "integer"),
        (None, "$", "a CallToolResult", "null"),
        (object(), "$", "a CallToolResult", "a Python object"),
    ],
    ids=str,
)
def test_what_is_no_call_tool_result_is_malformed_and_kept(
    source: Any, path: str, expected: str, received: str
) -> None:
    reading = read(source, tool="t")
    assert isinstance(reading, Mismatch)
    assert (reading.reason, reading.tool) == ("malformed", "t")
    assert reading.problems == (Problem("malformed", path, expected, received),)
    assert reading.result.raw is source
    assert (reading.result.blocks, reading.result.is_error) == ((), False)


def test_what_was_read_of_a_malformed_result_is_kept() -> None:
    source = {"content": 5, "structuredContent": {"a": 1}, "_meta": {"b": 2}}
    reading = read(source)
    assert isinstance(reading, Mismatch)
    assert (reading.result.structured, reading.result.meta) == ({"a": 1}, {"b": 2})


class Bomb:
    @property
    def content(self) -> Any:
        raise RuntimeError("boom")


def test_an_object_that_raises_when_it_is_looked_at_is_malformed() -> None:
    bomb = Bomb()
    reading = read(bomb, tool="t")
    assert isinstance(reading, Mismatch)
    assert (reading.reason, reading.tool, reading.result.raw) == ("malformed", "t", bomb)
    assert reading.problems == (
        Problem("malformed", "$", "a CallToolResult", "an object that raises RuntimeError"),
    )


def test_a_text_is_held_to_the_budget() -> None:
    for source, what in (('{"content": [[1]]}', "at most 2 depth"), ('{"content": []}', "at most 10 bytes")):
        budget = Budget(depth=2) if "depth" in what else Budget(bytes=10)
        reading = read(source, budget, tool="t")
        assert isinstance(reading, Mismatch)
        assert (reading.reason, reading.tool, reading.result.raw) == ("over_budget", "t", source)
        assert reading.problems == (Problem("over_budget", "$", what, "more"),)


@pytest.mark.parametrize(
    ("error", "code", "text", "data"),
    [
        ({"code": -32602, "message": "no", "data": [1]}, -32602, "no", [1]),
        ({"code": "x", "message": 5}, 0, "", UNSET),
        ({}, 0, "", UNSET),
    ],
)
def test_a_json_rpc_error_is_a_failure_of_the_tool(error: Any, code: int, text: str, data: Any) -> None:
    source = {"jsonrpc": "2.0", "id": 1, "error": error}
    reading = read(source, tool="t")
    assert isinstance(reading, ToolFailed)
    assert (reading.code, reading.text, reading.data, reading.tool) == (code, text, data, "t")
    assert reading.result == ToolResult(raw=source)


def test_a_failed_result_keeps_its_content_and_no_block_of_it_is_checked() -> None:
    blocks: list[Any] = [TEXT, {"type": "chart"}, {"type": "text", "text": None}]
    source = {
        "content": blocks,
        "structuredContent": {"a": 1},
        "isError": True,
        "resultType": "x",
        "_meta": {"m": 1},
    }
    assert read(source) == ToolResult(blocks, {"a": 1}, {"m": 1}, True, source)
    bad = {"content": 5, "isError": True}
    assert read(bad) == ToolResult((), UNSET, {}, True, bad)
    failed = sdk({"content": [TEXT], "isError": True})
    reading = read(failed)
    assert isinstance(reading, ToolResult)
    assert (reading.is_error, reading.text, reading.raw) == (True, "hi", failed)


@pytest.mark.parametrize(
    "wire", [{"content": None}, {"structuredContent": 5}, {"isError": False}, {"resultType": "complete"}]
)
def test_a_result_may_have_no_content(wire: dict[str, Any]) -> None:
    for source in (wire, {**wire, "isError": None, "_meta": [1]}):
        reading = read(source)
        assert isinstance(reading, ToolResult)
        assert (reading.blocks, reading.meta, reading.is_error) == ((), {}, False)
        assert reading.structured == source.get("structuredContent", UNSET)


def test_an_unknown_block_beside_a_structured_value_is_let_pass() -> None:
    reading = read({"content": [{"type": "chart"}, TEXT], "structuredContent": None})
    assert isinstance(reading, ToolResult)
    assert [block.type for block in reading.content] == ["chart", "text"]


def test_a_result_may_have_an_id_or_a_mapping_of_any_class() -> None:
    for source in ({"id": 1, "content": [TEXT]}, UserDict({"content": [TEXT], "structuredContent": [1]})):
        reading = read(source)
        assert isinstance(reading, ToolResult)
        assert (reading.text, reading.raw) == ("hi", source)


def test_an_object_is_read_by_its_attributes_in_either_spelling() -> None:
    new = SimpleNamespace(
        content=[TEXT], structured_content=[1], is_error=True, meta={"a": 1}, result_type="complete"
    )
    old = SimpleNamespace(content=[TEXT], structuredContent=[1], isError=True, meta={"a": 1})
    for source in (new, old):
        assert read(source) == ToolResult([TEXT], [1], {"a": 1}, True, source)
    bare = SimpleNamespace(structured_content=[1])
    assert read(bare) == ToolResult((), [1], {}, False, bare)
    for wrong in (
        SimpleNamespace(content=[{"type": "chart"}]),
        SimpleNamespace(content=[TEXT], is_error="no"),
    ):
        assert isinstance(read(wrong), Mismatch)
    unset = SimpleNamespace(content=[], structured_content=None, model_fields_set={"structured_content"})
    reading = read(unset)
    assert isinstance(reading, ToolResult)
    assert reading.structured is None


def test_a_malformed_object_names_the_tool() -> None:
    reading = read(SimpleNamespace(content=[{"type": "chart"}]), tool="t")
    assert isinstance(reading, Mismatch)
    assert (reading.reason, reading.tool) == ("malformed", "t")


def test_the_blocks_of_an_sdks_model_are_not_held_to_their_types_again() -> None:
    for content in ([Bomb(), {"type": "chart"}], []):
        model = mcp_types.CallToolResult.model_construct(content=content, is_error=False)
        reading = read(model)
        assert isinstance(reading, ToolResult)
        assert reading.blocks is content
    kept = mcp_types.CallToolResult.model_construct(
        content=[], is_error=False, meta={CONTENT_KEY: [{"type": 5}]}
    )
    assert isinstance(read(kept), Mismatch)


def test_the_message_of_sdk_1_is_read_by_its_root() -> None:
    wire = {"content": [TEXT]}
    error = SimpleNamespace(code=-1, message="no", data=[1])
    for root, expected in (
        (SimpleNamespace(jsonrpc="2.0", result=wire), "hi"),
        (SimpleNamespace(jsonrpc="2.0", result={**wire, "jsonrpc": "2.0"}), "hi"),
        (SimpleNamespace(jsonrpc="2.0", error=error), "no"),
        (wire, "hi"),
    ):
        source = SimpleNamespace(root=root)
        reading = read(source, tool="t")
        assert isinstance(reading, (ToolResult, ToolFailed))
        assert reading.text == expected
        assert (reading.raw if isinstance(reading, ToolResult) else reading.result.raw) is source
        if isinstance(reading, ToolFailed):
            assert (reading.code, reading.data, reading.tool) == (-1, [1], "t")
    nothing = read(SimpleNamespace(jsonrpc="2.0"))
    assert isinstance(nothing, Mismatch)


def test_input_required_keeps_what_is_asked() -> None:
    wire = {
        "resultType": "input_required",
        "inputRequests": {"a": {"method": "elicitation/create"}},
        "requestState": "s",
    }
    reading = read(wire)
    assert reading == InputRequired(ToolResult(raw=wire), wire["inputRequests"], "s")
    bare = {"resultType": "input_required", "_meta": {"a": 1}}
    assert read(bare, tool="t") == InputRequired(ToolResult(meta={"a": 1}, raw=bare), UNSET, UNSET, "t")
    model = mcp_types.InputRequiredResult(request_state="s", input_requests=None)
    again = read(model)
    assert again == InputRequired(ToolResult(raw=model), None, "s")


def test_what_the_tolerant_transport_kept_is_read_in_place_of_what_it_sent() -> None:
    meta = {STRUCTURED_KEY: [1], CONTENT_KEY: [{"type": "chart"}]}
    wire = {"content": [], "structuredContent": {"result": [1]}, "_meta": meta}
    for source in (wire, sdk(wire)):
        reading = read(source)
        assert isinstance(reading, ToolResult)
        assert reading.structured == [1]
        assert [b.type for b in reading.content] == ["chart"]


def test_a_read_result_is_read_as_it_is() -> None:
    result = ToolResult(structured=5)
    assert read(result) is result


# --- narrowing by hand ----------------------------------------------------------------------------------------------


def test_structured_gives_any_json_value() -> None:
    assert structured({"content": [], "structuredContent": [1]}) == [1]
    assert structured({"content": [], "structuredContent": None}) is None
    assert structured({"content": []}) is UNSET


def test_expect_object_and_expect_array_narrow_or_raise() -> None:
    assert expect_object({"content": [], "structuredContent": {"a": 1}})["a"] == 1
    assert expect_array(sdk({"content": [], "structuredContent": [1]})) == [1]
    for wrong in (
        {"content": [], "structuredContent": 5},
        {"content": [], "structuredContent": None},
        {"content": []},
    ):
        for expect, word in ((expect_object, "object"), (expect_array, "array")):
            with pytest.raises(MismatchError, match=f"expected {word}") as caught:
                expect(wrong)
            value = wrong.get("structuredContent", UNSET)
            received = "nothing" if value is UNSET else "null" if value is None else "integer"
            assert caught.value.problems == (Problem("type", "$", word, received),)
            assert caught.value.reason == ("missing" if value is UNSET else "mismatch")
            assert caught.value.result.raw is wrong
    with pytest.raises(ToolFailedError, match="no"):
        expect_object({"content": [{"type": "text", "text": "no"}], "isError": True})
    with pytest.raises(MismatchError, match="CallToolResult"):
        structured(5)
