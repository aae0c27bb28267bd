"""Objects, arrays and their properties: what each keyword becomes."""

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
from typedtool.codegen import compile_listing, generate


def test_absent_and_null_stay_apart() -> None:
    schema = obj(
        "a b", a={"type": ["string", "null"]}, b={"type": "integer"}, c={"type": ["integer", "null"]}, d={}
    )
    value = decoded(schema, {"a": None, "b": 1})
    assert (value.a, value.c, value.d) == (None, msgspec.UNSET, msgspec.UNSET)
    assert msgspec.to_builtins(value) == {"a": None, "b": 1}
    assert decoded(schema, {"a": "x", "b": 1, "c": None}).c is None
    assert refused(schema, {"b": 1})
    assert refused(schema, {"a": None, "b": None})


def test_a_default_is_told_and_not_put_into_the_value() -> None:
    schema = obj(limit={"type": "integer", "default": 10})
    assert msgspec.to_builtins(decoded(schema, {})) == {}
    assert '"""Default 10."""' in generate(listing(tool(schema)))


def test_a_closed_object_refuses_other_properties_and_an_open_one_does_not() -> None:
    assert refused({**obj(a={}), "additionalProperties": False}, {"a": 1, "b": 2})
    assert decoded(obj(a={}), {"a": 1, "b": 2}).a == 1


def test_an_object_of_any_properties_is_a_dict() -> None:
    assert output_of({"type": "object", "additionalProperties": {"type": "integer"}}) == dict[str, int]
    assert output_of({"type": "object"}) == dict[str, object]
    assert output_of({"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False}) == dict[str, int]  # fmt: skip


def test_properties_beside_a_map_are_fields_and_the_rest_is_noted() -> None:
    schema = {**obj("n", n={"type": "integer"}), "additionalProperties": {"type": "string"}}
    assert decoded(schema, {"n": 1, "x": "y"}).n == 1
    made = compile_listing(listing(tool(schema)))
    assert [n.text for n in made.notes] == ["properties beside the named ones: read them from the raw result"]
    assert "properties beside the named ones" in made.source


def test_all_of_is_one_object() -> None:
    schema = {
        "allOf": [{"$ref": "#/$defs/Base"}, obj("b", b={"type": "string"})],
        "$defs": {"Base": obj("a", a={"type": "integer"})},
    }
    value = decoded(schema, {"a": 1, "b": "x"})
    assert (value.a, value.b) == (1, "x")
    assert refused(schema, {"b": "x"})


def test_objects_may_hold_themselves() -> None:
    schema = {
        "$ref": "#/$defs/Node",
        "$defs": {"Node": obj("kids", kids={"type": "array", "items": {"$ref": "#/$defs/Node"}})},
    }
    assert decoded(schema, {"kids": [{"kids": []}]}).kids[0].kids == []
    made = compile_listing(listing(tool({"type": "array", "items": {"$ref": "#"}})))
    assert [n.text for n in made.notes if n.kind == "object"] == ["recursion without an object"]


def test_a_property_that_msgspec_cannot_name_leaves_an_open_object() -> None:
    schema = obj("k", **{'a"b': {"type": "integer"}, "k": {}})
    assert output_of(schema) == dict[str, object]
    assert [n.kind for n in compile_listing(listing(tool(schema))).notes] == ["object"]


def test_tuples_have_a_fixed_length_or_are_lists() -> None:
    pair = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2}
    assert output_of({**pair, "maxItems": 2}) == tuple[str, int]
    assert structure(output_of({**pair, "items": False})) == structure(tuple[str, int])
    assert decoded(pair, ["a", 1, None]) == ["a", 1, None]
    old = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "array",
        "minItems": 2,
        "additionalItems": False,
    }
    assert output_of({**old, "items": pair["prefixItems"]}) == tuple[str, int]
