"""What the plugin sees and the stub cannot: content of sampling messages, results that were written to."""

from __future__ import annotations

from typing import Any

from mcp_types import (
    AudioContent,
    CallToolResult,
    ImageContent,
    SamplingMessageContentBlock,
    TextContent,
    ToolResultContent,
    ToolUseContent,
)
from typing_extensions import assert_never, assert_type


class Local(CallToolResult):
    class Nested(CallToolResult):
        pass


class Stranger:
    structured_content: Any = None


def of_a_message(content: ToolResultContent) -> None:
    assert_type(content.structured_content, object)
    content.structured_content["temp"]  # E


def of_any_block(block: SamplingMessageContentBlock) -> None:
    match block:
        case ToolResultContent(structured_content=value):
            assert_type(value, object)
        case TextContent() | ImageContent() | AudioContent() | ToolUseContent():
            pass
        case _:
            assert_never(block)


def of_nested_classes(a: Local, b: Local.Nested) -> None:
    a.structured_content["temp"]  # E
    b.structured_content["temp"]  # E


def of_an_optional(result: CallToolResult | None) -> None:
    if result:
        result.structured_content["temp"]  # E
    result and result.structured_content["temp"]  # E


def of_a_class_that_only_looks_like_one(stranger: Stranger) -> None:
    stranger.structured_content["temp"]


def after_an_assignment(result: CallToolResult, value: object) -> None:
    result.structured_content = {"temp": 1.5}
    result.structured_content["temp"].nope  # E
    result.structured_content = value
    result.structured_content["temp"]  # E
    result.structured_content = None
    result.structured_content["temp"]  # E
