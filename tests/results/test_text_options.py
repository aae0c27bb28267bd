"""Text options: ways to find JSON in a text, each only where a tool asks for it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from typedtool import ToolResult
from typedtool.results.text_options import alternatives, text_options

NOTHING = ToolResult()
FENCED = "Here:\n```json\n[1]\n```\nBye"


def resource(text: object, mime: object, key: str = "mimeType") -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": "a:b", "text": text, key: mime}}


def test_options_are_given_as_one_or_several_in_any_order() -> None:
    assert text_options(None) == ()
    assert text_options("fenced") == ("fenced",)
    assert text_options(["resource", "any-block", "resource"]) == ("any-block", "resource")


@pytest.mark.parametrize("given", ["fence", ["fenced", "json"], ""])
def test_an_unknown_option_is_a_value_error_that_names_the_known_ones(given: Any) -> None:
    with pytest.raises(ValueError, match="'any-block', 'fenced', 'prefixed', 'resource'"):
        text_options(given)


def test_without_an_option_a_text_is_only_itself() -> None:
    result = ToolResult((resource("[1]", "application/json"),))
    assert alternatives(FENCED, result, ()) == ()
    assert alternatives(FENCED, result, ("any-block",)) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (FENCED, ("[1]\n",)),
        ("  ```\n[1]\n  ```  ", ("[1]\n",)),
        ("```\n[1]\n```\n```\n[2]\n```", ()),
        ("x ```\n[1]\n```", ()),
        ("```\n[1]", ()),
        ("[1]", ()),
    ],
)
def test_the_one_fenced_block_of_a_text_is_found(text: str, found: tuple[str, ...]) -> None:
    assert alternatives(text, NOTHING, ("fenced",)) == found


def test_json_after_prose_is_looked_for_at_the_starts_of_lines_first() -> None:
    text = 'Note [1]:\n {"a": [2]}'
    assert alternatives(text, NOTHING, ("prefixed",)) == (
        ' {"a": [2]}',
        '[1]:\n {"a": [2]}',
        '{"a": [2]}',
        "[2]}",
    )
    assert alternatives("no json", NOTHING, ("prefixed",)) == ()
    assert len(alternatives("[" * 1_000, NOTHING, ("prefixed",))) == 20


@pytest.mark.parametrize(
    ("blocks", "found"),
    [
        ([resource("[1]", "application/json")], ("[1]",)),
        ([resource("[1]", "application/json; charset=utf-8")], ("[1]",)),
        ([resource("[1]", "application/geo+json")], ("[1]",)),
        ([resource("[1]", "application/json", "mime_type")], ("[1]",)),
        (
            [
                SimpleNamespace(
                    type="resource", resource=SimpleNamespace(mimeType="application/json", text="[1]")
                )
            ],
            ("[1]",),
        ),
        (
            [{"type": "text", "text": "x"}, resource("x", "text/plain"), resource("[1]", "application/json")],
            ("[1]",),
        ),
        ([resource("[1]", "application/json")] * 2, ()),
        ([resource("[1]", "text/plain")], ()),
        ([resource("[1]", None)], ()),
        ([resource(5, "application/json")], ()),
        ([{**resource("[1]", "application/json"), "type": "resource_link"}], ()),
        ([{"type": "resource"}], ()),
    ],
)
def test_the_one_embedded_resource_of_a_json_type_is_found(blocks: list[Any], found: tuple[str, ...]) -> None:
    assert alternatives("", ToolResult(blocks), ("resource",)) == found


def test_options_are_tried_in_a_fixed_order() -> None:
    result = ToolResult((resource("[3]", "application/json"),))
    found = alternatives(FENCED, result, ("fenced", "prefixed", "resource"))
    assert (found[0], found[-1]) == ("[1]\n", "[3]")
    assert len(found) > 2
