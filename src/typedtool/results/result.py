"""A CallToolResult as it was read: `ToolResult`, and its content blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct

from typedtool.errors import brief, cut, kind_of
from typedtool.values.keys import field_of

__all__ = ["Block", "ToolResult", "type_and_text"]


class Block(Struct, frozen=True):
    """One content block of a result: its `type`, its `text` where it is a text block, and the block as it came.

    Example:
        >>> Block("text", "sunny")
        Block(type='text', text='sunny')
    """

    type: str
    text: str | None = None
    raw: object = None

    def __repr__(self) -> str:
        return cut(f"Block(type={brief(self.type, 60)}, text={brief(self.text)})")


class ToolResult(Struct, frozen=True):
    """A CallToolResult as it was read (MCP 2026-07-28, server/tools, "Tool Result").

    blocks: the content blocks as they came; `content`: the same, read.
    structured: the value of `structuredContent`, any JSON value; UNSET where the key was absent. None is JSON null.
    meta: the result's `_meta`.
    is_error: the tool says that it failed.
    raw: what was given to be read, untouched.

    Example:
        >>> result = ToolResult(({"type": "text", "text": "[1]"},), structured=[1])
        >>> result.text
        '[1]'
    """

    blocks: Sequence[object] = ()
    structured: object = UNSET
    meta: Mapping[str, object] = {}
    is_error: bool = False
    raw: object = None

    @property
    def content(self) -> tuple[Block, ...]:
        """The content blocks, read on each access: a structured value is mostly all that is wanted."""
        return tuple(map(_block, self.blocks))

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each text block, in order."""
        return tuple(block.text for block in self.content if block.text is not None)

    @property
    def text(self) -> str:
        """The text of all text blocks, one a line."""
        return "\n".join(self.texts)

    def __repr__(self) -> str:
        return cut(
            f"ToolResult(content={len(self.blocks)} blocks, structured={brief(self.structured)}, "
            f"text={brief(self.text)}, is_error={self.is_error})"
        )


def _block(block: object) -> Block:
    if isinstance(block, Block):
        return block
    kind, text = type_and_text(block)
    known = cut(kind, 60) if isinstance(kind, str) else kind_of(kind)
    return Block(known, text if kind == "text" and isinstance(text, str) else None, block)


def type_and_text(block: Any) -> tuple[object, object]:
    """The type and the text of a content block, a dict or a model; None where it has none."""
    if block.__class__ is dict:  # as most are: no call for it
        return block.get("type"), block.get("text")
    return field_of(block, "type"), field_of(block, "text")
