"""Summaries show what a schema allows, on one line."""

from __future__ import annotations

from typing import Any

import pytest

from typedtool.schemas.summaries import outline, summary


def test_an_outline_shows_optional_fields_unions_literals_and_open_objects() -> None:
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": ["integer", "null"]},
            "kind": {"enum": ["a", "b"]},
            "when": {"type": "string", "format": "date-time"},
            "pair": {"type": "array", "prefixItems": [{"const": 1}, {}], "items": False},
            "more words": {"type": "object", "additionalProperties": {"$ref": "#/$defs/n"}},
        },
        "required": ["id"],
        "$defs": {"n": {"type": "number"}},
    }
    assert outline(schema, 200) == (
        '{id: integer | null, kind?: "a" | "b", when?: string (date-time), pair?: [1, anything], '
        '"more words"?: {*: number}}'
    )
    assert outline(schema, 40).splitlines()[:3] == ["{", "  id: integer | null,", '  kind?: "a" | "b",']
    assert summary({}, schema) == "{id, kind, when, pair, ...}"


TEXT, NULL = {"type": "string"}, {"type": "null"}
A, B = {"type": "object", "properties": {"a": {}}}, {"type": "object", "properties": {"b": {}}}


@pytest.mark.parametrize(
    ("schema", "outlined", "summarised"),
    [
        ({}, "anything", "anything"),
        (True, "anything", "anything"),
        (False, "nothing", "nothing"),
        (5, "nothing", "nothing"),
        ({"minimum": 1}, "anything", "anything"),
        ({"type": "string", "format": "date"}, "string (date)", "string (date)"),
        ({"type": ["string", "null"]}, "string | null", "string | null"),
        ({"const": {"a": 1}}, '{"a": 1}', '{"a": 1}'),
        ({"enum": [0, 1, 2, 3, 4, 5, 6, 7]}, "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7", None),
        ({"enum": list(range(9))}, "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | ...", None),
        ({"anyOf": [TEXT, NULL, TEXT]}, "string | null", "string | null"),
        ({"allOf": [A, B]}, "({a?: anything} & {b?: anything})", None),
        ({"oneOf": [A, NULL]}, "({a?: anything} | null)", "{a} | null"),
        ({"type": "object"}, "{...}", "any object"),
        ({"type": "object", "properties": {}, "additionalProperties": {}}, "{...}", "any object"),
        ({"type": "object", "additionalProperties": False}, "{}", "object"),
        ({"type": "object", "additionalProperties": TEXT}, "{*: string}", "object"),
        ({"properties": {"a": {}}}, "{a?: anything}", "{a}"),
        ({"properties": dict.fromkeys("abcd", True)}, None, "{a, b, c, d}"),
        ({"properties": dict.fromkeys("abcde", True)}, None, "{a, b, c, d, ...}"),
        ({"properties": {"x y": {}}, "required": ["x y"]}, '{"x y": anything}', "{x y}"),
        ({"type": "array"}, "[anything, ...]", "any array"),
        ({"type": "array", "items": False}, "[]", "array of nothing"),
        ({"type": "array", "items": {"type": "object"}}, "[{...}, ...]", "array of object"),
        ({"type": "array", "items": {"type": "array"}}, "[[anything, ...], ...]", "array of arrays"),
        ({"items": TEXT}, "[string, ...]", "[string, ...]"),
        ({"prefixItems": [TEXT], "items": NULL}, "[string, null, ...]", None),
        ({"$ref": "#/$defs/n", "$defs": {"n": NULL}}, "null", "null"),
        ({"$ref": "#/none"}, "anything", "anything"),
        ({"$ref": "#"}, "anything", "anything"),
    ],
)
def test_a_schema_has_an_outline_and_a_summary(
    schema: Any, outlined: str | None, summarised: str | None
) -> None:
    assert outline(schema, 1000) == (outlined or outline(schema, 1000))
    assert summary(schema, schema) == (summarised or outlined)


def test_an_outline_is_bounded_in_depth_and_width() -> None:
    deep: Any = TEXT
    for _ in range(9):
        deep = {"type": "object", "properties": {"a": deep}}
    assert outline(deep, 1000) == "{a?: " * 7 + "..." + "}" * 7
    wide = {"type": "object", "properties": {f"p{i}": TEXT for i in range(31)}}
    assert outline(wide, 2000).endswith(", p28?: string, p29?: string, ... 1 more}")
    named = outline({"properties": {"a" * 70: TEXT}}, 200)
    assert named == '{"' + "a" * 57 + '..."?: string}'
    many: Any = {"anyOf": [{"anyOf": [{"const": [i, j]} for j in range(8)]} for i in range(8)]}
    for _ in range(3):
        many = {"anyOf": [many] * 8}
    assert outline(many, 100_000).count("...") > 1


def test_what_does_not_fit_on_a_line_is_indented() -> None:
    schema = {
        "type": "object",
        "properties": {
            "first": {"type": "array", "items": {"type": "object", "properties": {"id": TEXT}}},
            "second": {"anyOf": [{"type": "object", "properties": {"a_long_name": TEXT}}, NULL]},
        },
        "required": ["first"],
    }
    assert outline(schema, 30).splitlines() == [
        "{",
        "  first: [{id?: string}, ...],",
        "  second?: (",
        "    {a_long_name?: string}",
        "    | null",
        "  )",
        "}",
    ]
