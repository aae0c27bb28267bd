"""A result as it was read, and its content blocks."""

from __future__ import annotations

from types import SimpleNamespace

from msgspec import UNSET

from typedtool import Block, ToolResult
from typedtool.results.result import type_and_text


def test_a_result_reads_its_blocks_when_asked() -> None:
    result = ToolResult(({"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}))
    assert [block.type for block in result.content] == ["text", "image", "text"]
    assert isinstance(result.content[0], Block)
    assert result.content[1].raw == {"type": "image"}
    assert result.texts == ("a", "b")
    assert result.text == "a\nb"
    assert result.structured is UNSET


def test_the_type_and_the_text_of_a_block_are_read_from_dicts_and_models() -> None:
    assert type_and_text({"type": "text", "text": "a"}) == ("text", "a")
    assert type_and_text(SimpleNamespace(type="text", text="a")) == ("text", "a")
    assert type_and_text({}) == type_and_text(object()) == (None, None)


def test_a_block_has_text_only_where_it_is_a_text_block() -> None:
    blocks = (
        {"type": "resource", "text": "a"},
        {"type": "text", "text": 5},
        {"type": 5},
        {"type": "x" * 100},
        SimpleNamespace(type="text", text="b"),
        Block("text", "c"),
    )
    content = ToolResult(blocks).content
    assert [block.text for block in content] == [None, None, None, None, "b", "c"]
    assert [block.type for block in content[:3]] == ["resource", "text", "integer"]
    assert len(content[3].type) <= 60
    assert content[4].raw is blocks[4]
    assert content[5] is blocks[5]


def test_the_words_of_a_result_and_of_a_block_are_bounded() -> None:
    long = "x" * 100_000
    result = ToolResult(({"type": "text", "text": long},), {"a": long}, is_error=True)
    assert repr(result).startswith("ToolResult(content=1 blocks, structured={'a': 'xxx")
    assert repr(result).endswith("is_error=True)")
    assert repr(ToolResult(({"type": "text", "text": "sunny"},))) == (
        "ToolResult(content=1 blocks, structured=UNSET, text='sunny', is_error=False)"
    )
    assert len(repr(result)) < 700
    assert repr(Block("text", "sunny", {"type": "text"})) == "Block(type='text', text='sunny')"
    assert len(repr(Block("x" * 1_000, long))) < 300
