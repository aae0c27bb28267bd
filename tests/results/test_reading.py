"""Reading results: every form that they come in says the same."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import UNSET

from typedtool import (
    InputRequired,
    Mismatch,
    MismatchError,
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


@pytest.mark.parametrize(
    ("wire", "path"),
    [
        ({"jsonrpc": "2.0", "id": 1}, "$"),
        ({"jsonrpc": "2.0", "id": 1, "result": [1]}, "$"),
        ({"jsonrpc": "2.0", "method": "ping"}, "$"),
        ({}, "$"),
        ({"foo": 1}, "$"),
        ({"content": {}}, "$.content"),
        ({"content": ["x"]}, "$.content[0].type"),
        ({"content": [{"type": 5}]}, "$.content[0].type"),
        ({"content": [{"type": "text", "text": None}]}, "$.content[0].text"),
        ({"content": [{"type": "text", "text": "\ud83d"}]}, "$.content[0].text"),
        ({"content": [], "isError": "yes"}, "$.isError"),
        ({"content": [], "resultType": "task"}, "$.resultType"),
        ("[1]", "$"),
        ("not json", "$"),
        ('{"content": [{"type": "text", "text": "\\ud83d"}]}', "$"),
        ('{"content": [], "structuredContent": NaN}', "$"),
    ],
    ids=str,
)
def test_what_is_no_call_tool_result_is_malformed_and_kept(wire: Any, path: str) -> None:
    reading = read(wire, tool="t")
    assert isinstance(reading, Mismatch)
    assert reading.reason == "malformed"
    assert reading.problems[0].path == path
    assert reading.result.raw is wire
    assert reading.tool == "t"


def test_input_required_keeps_what_is_asked() -> None:
    wire = {
        "resultType": "input_required",
        "inputRequests": {"a": {"method": "elicitation/create"}},
        "requestState": "s",
    }
    reading = read(wire)
    assert isinstance(reading, InputRequired)
    assert reading.requests == wire["inputRequests"]
    assert reading.state == "s"
    model = mcp_types.InputRequiredResult(request_state="s", input_requests=None)
    again = read(model)
    assert isinstance(again, InputRequired)
    assert again.state == "s"


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
            with pytest.raises(MismatchError, match=f"expected {word}"):
                expect(wrong)
    with pytest.raises(ToolFailedError, match="no"):
        expect_object({"content": [{"type": "text", "text": "no"}], "isError": True})
    with pytest.raises(MismatchError, match="CallToolResult"):
        structured(5)
