"""Typed client-side decoding of MCP tool results: `TypedTool[In, Out]` binds a tool to a msgspec type."""

from __future__ import annotations

from typedtool.budgets import Budget
from typedtool.decoding import Decoder, decode, matches
from typedtool.errors import (
    Block,
    BudgetExceeded,
    Incompatible,
    InputRequiredError,
    InvalidArguments,
    InvalidSchema,
    MismatchError,
    Problem,
    SchemaChanged,
    SchemaError,
    ToolFailedError,
    ToolNotFound,
    ToolResult,
    TypedToolError,
    TypedToolWarning,
    UnsafeSchema,
    UnsupportedDialect,
)
from typedtool.fields import FieldsTool, tool
from typedtool.guards import (
    JsonValue,
    is_array,
    is_boolean,
    is_integer,
    is_null,
    is_number,
    is_object,
    is_string,
)
from typedtool.outcomes import InputRequired, Mismatch, Ok, Outcome, ToolFailed
from typedtool.reports import Finding, Report
from typedtool.results import expect_array, expect_object, structured
from typedtool.schemas import Schema, parse_schema
from typedtool.shapes import OneOf
from typedtool.subsumption import Comparison, Proved, Refuted, Unknown, compare
from typedtool.tools import BoundTool, Caller, TypedTool
from typedtool.toolsets import Toolset
from typedtool.transports import tolerant

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
