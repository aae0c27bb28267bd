"""Bounds, patterns and formats: which a type carries, and which are left to validation."""

from __future__ import annotations

import msgspec

from generated_modules import (
    decoded,
    listing,
    obj,
    output_of,
    refused,
    structure,
    tool,
)
from typedtool import Mismatch, TypedTool
from typedtool.codegen import generate, types_for


def test_constraints_are_held_by_the_type() -> None:
    schema = obj(
        n={"type": "integer", "exclusiveMinimum": 0, "maximum": 9.5, "multipleOf": 3},
        x={"type": "number", "exclusiveMaximum": 1},
        s={"type": "string", "maxLength": 2, "pattern": "^[a-z]+$"},
        a={"type": "array", "minItems": 1},
        m={"type": "object", "maxProperties": 1},
    )
    fits = {"n": 3, "x": 0.5, "s": "ab", "a": [1], "m": {"k": 1}}
    assert msgspec.to_builtins(decoded(schema, fits)) == fits
    for bad in (
        {"n": 0},
        {"n": 4},
        {"n": 12},
        {"x": 1},
        {"s": "abc"},
        {"s": "A"},
        {"a": []},
        {"m": {"a": 1, "b": 1}},
    ):
        assert refused(schema, bad), bad


def test_a_pattern_that_could_hang_is_left_to_validation() -> None:
    schema = {"type": "string", "pattern": "^(a+)+$"}
    assert output_of(schema) is str
    bound = TypedTool.from_definition(tool(schema)).against(tool(schema))
    assert isinstance(bound.read({"content": [], "structuredContent": "b"}), Mismatch)


def test_formats_are_types_only_where_values_come_back_as_the_same_text() -> None:
    schema = obj(day={"format": "date", "type": "string"}, id={"format": "uuid", "type": "string"}, at={"format": "date-time", "type": "string"})  # fmt: skip
    value = {"day": "2026-11-30", "id": "123e4567-e89b-12d3-a456-426614174000", "at": "0000-01-01T00:00:60Z"}
    assert msgspec.to_builtins(decoded(schema, value)) == value
    assert decoded(schema, value).day.year == 2026
    entry = tool(schema)
    assert structure(types_for(entry, formats="all")[1]).count("datetime.datetime") == 1
    assert "dt.date" not in generate(listing(entry), formats="none")
