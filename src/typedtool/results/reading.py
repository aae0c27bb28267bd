"""One reader for everything that a result comes as: `read(source) -> ToolResult`, or the outcome that it already is.

SDK 1.x and 2.x models, FastMCP's result, dicts in wire form, JSON text of a result or of a whole JSON-RPC response.
Foreign data is read here, once; nothing after this looks at it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, Union

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
from typedtool.results.result import ToolResult
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.guards import is_array, is_items, is_mapping, is_object
from typedtool.values.json_text import NotJson, parse, utf8
from typedtool.values.keys import CONTENT_KEY, STRUCTURED_KEY

__all__ = ["Reading", "expect_array", "expect_object", "read", "structured"]

Reading: TypeAlias = Union[ToolResult, ToolFailed, Mismatch, InputRequired]
"""What reading gives: a result to be decoded, or an outcome that needs no decoding."""

BLOCK_TYPES = frozenset({"text", "image", "audio", "resource", "resource_link"})
_RESPONSE_KEYS = ("result", "error")


def read(source: object, budget: Budget = DEFAULT_BUDGET, *, tool: str = "") -> Reading:
    """Read a result, whatever it came as. Never raises for what it is given.

    Absent and null `structuredContent` stay apart wherever the source can tell (FastMCP's result cannot: None is
    absent there).

    Example:
        >>> read({"content": [], "structuredContent": None}).structured is None
        True
    """
    if isinstance(source, ToolResult):
        return source
    try:
        plain = _plain_wire(source) if source.__class__ is dict else _plain_model(source)
    except Exception:  # a foreign object may do anything when it is looked at: the reader below says what
        plain = None
    if plain is not None:
        return plain
    try:
        return _Reader(source, budget, tool).read()
    except BudgetExceeded as error:
        problem = Problem("over_budget", "$", f"at most {error.limit:g} {error.what}", "more")
        return Mismatch("over_budget", (problem,), ToolResult(raw=source), tool=tool)


# --- the common case -------------------------------------------------------------------------------------------------
# A result without anything odd is read in a microsecond; None sends it to the reader below, which knows every case.


def _plain_wire(source: Any) -> ToolResult | None:
    get = source.get
    meta: Any = get("_meta")
    content: Any = get("content")
    failed: Any = get("isError", False)
    if meta is None:
        meta = {}
    elif meta.__class__ is not dict or STRUCTURED_KEY in meta or CONTENT_KEY in meta:
        return None
    if content.__class__ is not list or failed.__class__ is not bool or "jsonrpc" in source:
        return None
    if get("resultType", "complete") != "complete":
        return None
    for block in content:
        text: Any = block.get("text") if block.__class__ is dict and block.get("type") == "text" else None
        if text.__class__ is not str or not text.isascii():
            return None
    return ToolResult(content, get("structuredContent", UNSET), meta, failed, source)


def _plain_model(source: Any) -> ToolResult | None:
    """A model of an SDK, which has held the content to its types already."""
    given: Any = getattr(source, "__pydantic_fields_set__", None)
    if given.__class__ is not set:
        return None
    fields = source.__dict__
    name = "structured_content" if "structured_content" in fields else "structuredContent"
    content: Any = fields.get("content")
    value: object = fields.get(name, UNSET)
    failed: Any = fields.get("is_error", fields.get("isError"))
    meta: Any = fields.get("meta")
    if meta is None:
        meta = {}
    elif meta.__class__ is not dict or STRUCTURED_KEY in meta or CONTENT_KEY in meta:
        return None
    if value is UNSET or content.__class__ is not list or failed.__class__ is not bool:
        return None
    if fields.get("result_type", "complete") != "complete":
        return None
    structured = UNSET if value is None and name not in given else value
    return ToolResult(content, structured, meta, failed, source)


class _Malformed(Exception):
    def __init__(self, expected: str, received: str, path: str = "$") -> None:
        super().__init__(expected, received, path)
        self.problem = Problem("malformed", path, expected, received)


class _Reader:
    def __init__(self, source: object, budget: Budget, tool: str) -> None:
        self.source = source
        self.budget = budget
        self.tool = tool
        self.blocks: Sequence[object] = ()
        self.structured: object = UNSET
        self.meta: Mapping[str, object] = {}

    def read(self) -> Reading:
        try:
            return self.of(self.source)
        except _Malformed as fault:
            return Mismatch("malformed", (fault.problem,), self.result(), tool=self.tool)
        except BudgetExceeded:
            raise
        except Exception as error:  # a foreign object may do anything when it is looked at
            problem = Problem(
                "malformed", "$", "a CallToolResult", f"an object that raises {type(error).__name__}"
            )
            return Mismatch("malformed", (problem,), self.result(), tool=self.tool)

    def result(self, is_error: bool = False) -> ToolResult:
        return ToolResult(self.blocks, self.structured, self.meta, is_error, self.source)

    def of(self, value: object) -> Reading:
        if isinstance(value, (str, bytes, bytearray)) or _is_view(value):
            value = self.parsed(value)
            if not is_object(value):
                raise _Malformed("a CallToolResult", kind_of(value))
        value = getattr(value, "root", value)  # SDK 1.x: JSONRPCMessage
        if is_mapping(value):
            return self.of_wire(value)
        return self.of_message(value) if hasattr(value, "jsonrpc") else self.of_object(value)

    def parsed(self, text: str | bytes | bytearray | memoryview) -> object:
        try:
            return parse(utf8(text), self.budget)
        except NotJson as fault:
            raise _Malformed("a CallToolResult as JSON", fault.what) from None

    # --- dicts in wire form -------------------------------------------------------------------------------------

    def of_wire(self, wire: Mapping[Any, Any]) -> Reading:
        if "jsonrpc" in wire or (
            "id" in wire and any(k in wire for k in _RESPONSE_KEYS) and "content" not in wire
        ):
            return self.of_response(wire)
        if not any(k in wire for k in ("content", "structuredContent", "isError", "resultType")):
            raise _Malformed("a CallToolResult", "an object with neither content nor structuredContent")
        self.meta = _mapping(wire.get("_meta"))
        if wire.get("resultType") == "input_required":
            requests, state = wire.get("inputRequests", UNSET), wire.get("requestState", UNSET)
            return InputRequired(self.result(), requests, state, self.tool)
        self.structured = wire.get("structuredContent", UNSET)
        return self.complete(wire.get("content"), wire.get("isError"), wire.get("resultType"))

    def of_response(self, wire: Mapping[Any, Any]) -> Reading:
        error = wire.get("error")
        if is_mapping(error):
            return self.of_rpc_error(error.get("code"), error.get("message"), error.get("data", UNSET))
        result = wire.get("result")
        if not is_mapping(result):
            raise _Malformed("a JSON-RPC response", "a message without a result")
        return self.of_wire({k: v for k, v in result.items() if k != "jsonrpc"})

    def of_rpc_error(self, code: object, message: object, data: object) -> ToolFailed:
        text = message if isinstance(message, str) else ""
        number = code if isinstance(code, int) else None
        return ToolFailed(self.result(), text, 0 if number is None else number, data, tool=self.tool)

    def of_message(self, message: Any) -> Reading:
        """An SDK's model of a JSON-RPC response."""
        if (error := getattr(message, "error", None)) is not None:
            return self.of_rpc_error(error.code, error.message, getattr(error, "data", UNSET))
        return self.of_response({"result": getattr(message, "result", None)})

    # --- models of the SDKs and of FastMCP ----------------------------------------------------------------------

    def of_object(self, model: Any) -> Reading:
        name = "structured_content" if hasattr(model, "structured_content") else "structuredContent"
        result_type = getattr(model, "result_type", None)
        self.meta = _mapping(getattr(model, "meta", None))
        if result_type == "input_required":
            requests = getattr(model, "input_requests", UNSET)
            return InputRequired(self.result(), requests, getattr(model, "request_state", UNSET), self.tool)
        if not hasattr(model, "content") and not hasattr(model, name):
            raise _Malformed("a CallToolResult", kind_of(model))
        value = getattr(model, name, None)
        present = value is not None or name in getattr(model, "model_fields_set", ())
        self.structured = value if present else UNSET
        # never both names: FastMCP 4 answers to those of SDK 1.x too, with a warning
        failed = getattr(model, "is_error" if hasattr(model, "is_error") else "isError", False)
        return self.complete(getattr(model, "content", None), failed, result_type)

    # --- what all of them have ----------------------------------------------------------------------------------

    def complete(self, content: object, failed: object, result_type: object) -> Reading:
        if self.meta and STRUCTURED_KEY in self.meta:
            self.structured = self.meta[STRUCTURED_KEY]
        if self.meta and CONTENT_KEY in self.meta:
            content = self.meta[CONTENT_KEY]
        if not isinstance(failed, bool) and failed is not None:
            raise _Malformed("a boolean", kind_of(failed), "$.isError")
        if not failed and result_type not in (None, "complete"):
            raise _Malformed('the resultType "complete" or "input_required"', "another one", "$.resultType")
        if failed:
            self.blocks = content if is_items(content) else ()
        else:
            self.blocks = _checked(content, any_type=self.structured is not UNSET)
        return self.result(bool(failed))


def _is_view(value: object) -> TypeGuard[memoryview]:
    return isinstance(value, memoryview)


def _mapping(meta: object) -> Mapping[str, object]:
    return meta if is_mapping(meta) else {}


def _checked(content: object, *, any_type: bool) -> Sequence[object]:
    """The content blocks, each held to what it must be. `any_type`: an unknown type is let pass."""
    if content is None:
        return ()
    if not is_items(content):
        raise _Malformed("an array", kind_of(content), "$.content")
    for i, block in enumerate(content):
        _check_block(block, f"$.content[{i}]", any_type)
    return content


def _check_block(block: object, path: str, any_type: bool) -> None:
    kind: object = block.get("type") if is_mapping(block) else getattr(block, "type", None)
    text: object = block.get("text") if is_mapping(block) else getattr(block, "text", None)
    if not isinstance(kind, str) or not (any_type or kind in BLOCK_TYPES):
        received = "another type" if isinstance(kind, str) else kind_of(kind)
        raise _Malformed("a content block of a known type", received, f"{path}.type")
    if kind != "text":
        return
    if not isinstance(text, str):
        raise _Malformed("string", "nothing" if text is None else kind_of(text), f"{path}.text")
    if not text.isascii():
        _check_unicode(text, path)


def _check_unicode(text: str, path: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _Malformed("Unicode text", "a lone surrogate", f"{path}.text") from None


# --- narrowing by hand ----------------------------------------------------------------------------------------------


def structured(result: object, /) -> object:
    """The value of `structuredContent`, any JSON value; `msgspec.UNSET` where the key was absent.

    Raises ToolFailedError where the tool failed, MismatchError where `result` is no CallToolResult.

    Example:
        >>> structured({"content": [], "structuredContent": [1, 2]})
        [1, 2]
    """
    return _complete(result).structured


def expect_object(result: object, /) -> dict[str, object]:
    """The value of `structuredContent`, which has to be an object. Its values are `object`: narrow them further.

    Raises MismatchError where it is absent, null or something else, ToolFailedError where the tool failed.

    Example:
        >>> expect_object({"content": [], "structuredContent": {"x": 1}})["x"]
        1
    """
    reading = _complete(result)
    if is_object(reading.structured):
        return reading.structured
    raise _unexpected(reading, "object")


def expect_array(result: object, /) -> list[object]:
    """The value of `structuredContent`, which has to be an array. Its items are `object`: narrow them further.

    Raises MismatchError where it is absent, null or something else, ToolFailedError where the tool failed.

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
