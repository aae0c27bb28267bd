"""The one reader of results: `read(source)` returns a `ToolResult`, or the outcome that the source already is.

A source is a model of SDK 1.x or 2.x, FastMCP's result, a dict in wire form, or JSON text of a result or of a JSON-RPC
response. It is read here, once: nothing after this looks at it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias, Union

from msgspec import UNSET

from typedtool.errors import BudgetExceeded, Problem, kind_of
from typedtool.results.outcomes import (
    InputRequired,
    Mismatch,
    MismatchError,
    Reason,
    ToolFailed,
    ToolFailedError,
    error_of,
)
from typedtool.results.result import ToolResult, type_and_text
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.guards import is_array, is_items, is_mapping, is_object
from typedtool.values.json_text import NotJson, is_unicode, parse, utf8
from typedtool.values.keys import CONTENT_KEY, STRUCTURED_KEY

__all__ = ["Reading", "expect_array", "expect_object", "read", "structured"]

Reading: TypeAlias = Union[ToolResult, ToolFailed, Mismatch, InputRequired]
"""A result that is to be decoded, or an outcome without a value."""

BLOCK_TYPES = frozenset({"text", "image", "audio", "resource", "resource_link"})
_OF_RESPONSES = frozenset({"result", "error"})
_OF_RESULTS = frozenset({"structuredContent", "isError", "resultType"})
_STRUCTURED = frozenset({"structured_content", "structuredContent"})
_TEXTS: tuple[Any, ...] = (str, bytes, bytearray, memoryview)
_NO_META: Mapping[str, object] = {}


def read(source: object, budget: Budget = DEFAULT_BUDGET, *, tool: str = "") -> Reading:
    """The result that a source stands for, or the outcome that it already is. Never raises.

    source: a result of an SDK or of FastMCP, a dict in wire form, or JSON text of a result or a JSON-RPC response.

    An absent `structuredContent` is UNSET and a null one is None, where the source tells them apart: in FastMCP's
    result, None counts as absent.

    Example:
        >>> read({"content": [], "structuredContent": None}).structured is None
        True
    """
    raw: Any = source
    if isinstance(raw, ToolResult):
        return raw
    try:
        if raw.__class__ is dict:
            return _of_wire(raw, raw, tool)
        if isinstance(raw, _TEXTS):
            return _of_text(raw, budget, tool)
        return _of_object(raw, raw, tool)
    except BudgetExceeded as error:
        return Mismatch("over_budget", (error.problem,), ToolResult(raw=raw), tool=tool)
    except Exception as error:  # a foreign object may do anything when it is looked at
        return _malformed("a CallToolResult", f"an object that raises {type(error).__name__}", raw, tool)


# --- JSON text, and dicts in wire form ------------------------------------------------------------------------------
# `raw` is what was given to be read: results and outcomes keep it.


def _of_text(raw: Any, budget: Budget, tool: str) -> Reading:
    try:
        value = parse(utf8(raw), budget)
    except NotJson as fault:
        return _malformed("a CallToolResult as JSON", fault.what, raw, tool)
    return (
        _of_wire(value, raw, tool)
        if is_object(value)
        else _malformed("a CallToolResult", kind_of(value), raw, tool)
    )


def _of_wire(wire: Any, raw: object, tool: str) -> Reading:
    get = wire.get
    content, result_type = get("content", UNSET), get("resultType")
    if "jsonrpc" in wire or (content is UNSET and "id" in wire and not _OF_RESPONSES.isdisjoint(wire)):
        return _of_response(get("error"), get("result"), raw, tool)
    if result_type == "input_required":
        result = ToolResult(meta=_meta(get("_meta")), raw=raw)
        return InputRequired(result, get("inputRequests", UNSET), get("requestState", UNSET), tool)
    if content is UNSET and _OF_RESULTS.isdisjoint(wire):
        received = "an object with neither content nor structuredContent"
        return _malformed("a CallToolResult", received, raw, tool)
    structured = get("structuredContent", UNSET)
    return _checked(content, structured, get("_meta"), get("isError"), result_type, raw, tool)


def _of_response(error: object, result: object, raw: object, tool: str) -> Reading:
    """A JSON-RPC response, by its two members."""
    if is_mapping(error):
        return _of_error(error.get("code"), error.get("message"), error.get("data", UNSET), raw, tool)
    if not is_mapping(result):
        return _malformed("a JSON-RPC response", "a message without a result", raw, tool)
    return _of_wire({k: v for k, v in result.items() if k != "jsonrpc"}, raw, tool)


def _of_error(code: object, message: object, data: object, raw: object, tool: str) -> ToolFailed:
    text = message if isinstance(message, str) else ""
    return ToolFailed(ToolResult(raw=raw), text, code if isinstance(code, int) else 0, data, tool=tool)


# --- models of the SDKs and of FastMCP ------------------------------------------------------------------------------


def _of_object(model: Any, raw: object, tool: str) -> Reading:
    """A model of an SDK, or any object with the attributes of one."""
    fields: Any = model.__dict__ if hasattr(model, "__pydantic_fields_set__") else {}
    if fields.get("content").__class__ is list:
        return _of_attributes(fields.get, model, raw, tool, typed=True)
    message: Any = getattr(model, "root", model)  # SDK 1.x: JSONRPCMessage
    if is_mapping(message):
        return _of_wire(message, raw, tool)
    if not hasattr(message, "jsonrpc"):
        return _of_attributes(partial(getattr, message), message, raw, tool)
    error: Any = getattr(message, "error", None)
    if error is not None:
        return _of_error(error.code, error.message, getattr(error, "data", UNSET), raw, tool)
    return _of_response(None, getattr(message, "result", None), raw, tool)


def _of_attributes(get: Any, model: Any, raw: object, tool: str, typed: bool = False) -> Reading:
    """typed: the class of the model has held the content to its types."""
    result_type: object = get("result_type", None)
    if result_type == "input_required":
        result = ToolResult(meta=_meta(get("meta", None)), raw=raw)
        return InputRequired(result, get("input_requests", UNSET), get("request_state", UNSET), tool)
    content: object = get("content", UNSET)
    structured = _either(get, "structured_content", "structuredContent")
    if content is UNSET and structured is UNSET:
        return _malformed("a CallToolResult", kind_of(model), raw, tool)
    if structured is None and _STRUCTURED.isdisjoint(getattr(model, "model_fields_set", ())):
        structured = UNSET
    failed = _either(get, "is_error", "isError")
    return _checked(content, structured, get("meta", None), failed, result_type, raw, tool, typed)


def _either(get: Any, new: str, old: str) -> object:
    """The attribute under the first of two names that there is: FastMCP 4 warns of the old one."""
    value = get(new, UNSET)
    return get(old, UNSET) if value is UNSET else value


# --- what all of them have ------------------------------------------------------------------------------------------


def _checked(
    content: Any,
    structured: object,
    meta: object,
    failed: object,
    result_type: object,
    raw: object,
    tool: str,
    typed: bool = False,
) -> ToolResult | Mismatch:
    """The result, or why it is none. What `tolerant` kept in `_meta` counts in the place of what it sent."""
    found = _NO_META if meta is None else _meta(meta)
    if found:
        structured = found.get(STRUCTURED_KEY, structured)
        typed = typed and CONTENT_KEY not in found
        content = found.get(CONTENT_KEY, content)
    if failed is True:
        return ToolResult(content if is_items(content) else (), structured, found, True, raw)
    if content is None or content is UNSET:
        content = ()
    problem = None
    if failed is not False and failed is not None and failed is not UNSET:
        problem = Problem("malformed", "$.isError", "a boolean", kind_of(failed))
    elif result_type is not None and result_type != "complete":
        expected = 'the resultType "complete" or "input_required"'
        problem = Problem("malformed", "$.resultType", expected, "another one")
    elif not typed:
        problem = _problem_of(content, any_type=structured is not UNSET)
    if problem is None:
        return ToolResult(content, structured, found, False, raw)
    return Mismatch("malformed", (problem,), ToolResult((), structured, found, False, raw), tool=tool)


def _problem_of(content: Any, *, any_type: bool) -> Problem | None:
    """What is wrong with content blocks. `any_type`: a block of an unknown type is let pass."""
    if content.__class__ is not list and not is_items(content):
        return Problem("malformed", "$.content", "an array", kind_of(content))
    for i, block in enumerate(content):
        plain = block.__class__ is dict  # as most are: a call less for each
        kind, text = (block.get("type"), block.get("text")) if plain else type_and_text(block)
        if kind == "text":
            if not isinstance(text, str):
                received = "nothing" if text is None else kind_of(text)
                return Problem("malformed", f"$.content[{i}].text", "string", received)
            if not text.isascii() and not is_unicode(text):
                return Problem("malformed", f"$.content[{i}].text", "Unicode text", "a lone surrogate")
        elif not isinstance(kind, str) or not (any_type or kind in BLOCK_TYPES):
            received = "another type" if isinstance(kind, str) else kind_of(kind)
            return Problem("malformed", f"$.content[{i}].type", "a content block of a known type", received)
    return None


def _meta(meta: object) -> Mapping[str, object]:
    return meta if is_mapping(meta) else _NO_META


def _malformed(expected: str, received: str, raw: object, tool: str) -> Mismatch:
    problem = Problem("malformed", "$", expected, received)
    return Mismatch("malformed", (problem,), ToolResult(raw=raw), tool=tool)


# --- narrowing by hand ----------------------------------------------------------------------------------------------


def structured(result: object, /) -> object:
    """The value of `structuredContent`, any JSON value; `msgspec.UNSET` where the key is absent.

    Raises ToolFailedError where the tool failed, MismatchError where `result` is not a CallToolResult.

    Example:
        >>> structured({"content": [], "structuredContent": [1, 2]})
        [1, 2]
    """
    return _complete(result).structured


def expect_object(result: object, /) -> dict[str, object]:
    """The object in `structuredContent`. Its values are `object`: narrow them further.

    Raises MismatchError where it is absent, null or of another kind, ToolFailedError where the tool failed.

    Example:
        >>> expect_object({"content": [], "structuredContent": {"x": 1}})["x"]
        1
    """
    reading = _complete(result)
    if is_object(reading.structured):
        return reading.structured
    raise _unexpected(reading, "object")


def expect_array(result: object, /) -> list[object]:
    """The array in `structuredContent`. Its items are `object`: narrow them further.

    Raises MismatchError where it is absent, null or of another kind, ToolFailedError where the tool failed.

    Example:
        >>> expect_array({"content": [], "structuredContent": [1, 2]})[0]
        1
    """
    reading = _complete(result)
    if is_array(reading.structured):
        return reading.structured
    raise _unexpected(reading, "array")


def _complete(result: object) -> ToolResult:
    reading = read(result)
    if not isinstance(reading, ToolResult):
        raise error_of(reading)
    if reading.is_error:
        raise ToolFailedError(ToolFailed(reading, reading.text))
    return reading


def _unexpected(reading: ToolResult, expected: str) -> MismatchError:
    problem = Problem("type", "$", expected, kind_of(reading.structured))
    reason: Reason = "missing" if reading.structured is UNSET else "mismatch"
    return MismatchError(Mismatch(reason, (problem,), reading))
