"""Typed client-side decoding of MCP tool results: `TypedTool[In, Out]` binds a tool to a msgspec type."""

from __future__ import annotations

from typedtool.clients.transports import tolerant
from typedtool.compatibility.proof import Comparison, Proved, Refuted, Unknown, compare
from typedtool.compatibility.report import Finding, Report
from typedtool.decoding.decoder import Decoder, decode, matches
from typedtool.errors import (
    BudgetExceeded,
    Incompatible,
    InvalidArguments,
    InvalidSchema,
    Problem,
    SchemaError,
    ToolNotFound,
    TypedToolError,
    TypedToolWarning,
    UnsafeSchema,
    UnsupportedDialect,
)
from typedtool.results.outcomes import (
    InputRequired,
    InputRequiredError,
    Mismatch,
    MismatchError,
    Ok,
    Outcome,
    SchemaChanged,
    ToolFailed,
    ToolFailedError,
)
from typedtool.results.reading import expect_array, expect_object, structured
from typedtool.results.result import Block, ToolResult
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.tools.bound import BoundTool
from typedtool.tools.fields import FieldsTool, tool
from typedtool.tools.options import Caller
from typedtool.tools.tool import TypedTool
from typedtool.tools.toolset import Toolset
from typedtool.types.hints import OneOf
from typedtool.values.budgets import Budget
from typedtool.values.guards import (
    JsonValue,
    is_array,
    is_boolean,
    is_integer,
    is_null,
    is_number,
    is_object,
    is_string,
)

__all__ = [
    "Block",
    "BoundTool",
    "Budget",
    "BudgetExceeded",
    "Caller",
    "Comparison",
    "Decoder",
    "FieldsTool",
    "Finding",
    "Incompatible",
    "InputRequired",
    "InputRequiredError",
    "InvalidArguments",
    "InvalidSchema",
    "JsonValue",
    "Mismatch",
    "MismatchError",
    "Ok",
    "OneOf",
    "Outcome",
    "Problem",
    "Proved",
    "Refuted",
    "Report",
    "Schema",
    "SchemaChanged",
    "SchemaError",
    "ToolFailed",
    "ToolFailedError",
    "ToolNotFound",
    "ToolResult",
    "Toolset",
    "TypedTool",
    "TypedToolError",
    "TypedToolWarning",
    "Unknown",
    "UnsafeSchema",
    "UnsupportedDialect",
    "compare",
    "decode",
    "expect_array",
    "expect_object",
    "is_array",
    "is_boolean",
    "is_integer",
    "is_null",
    "is_number",
    "is_object",
    "is_string",
    "matches",
    "parse_schema",
    "structured",
    "tolerant",
    "tool",
]
