"""Summaries show what a schema allows, on one line."""

from __future__ import annotations

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
