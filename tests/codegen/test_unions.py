"""Alternatives: tagged objects, `OneOf`, one type of a kind."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from generated_modules import (
    CAT,
    DOG,
    decoded,
    listing,
    obj,
    output_of,
    refused,
    structure,
    tool,
)
from typedtool import OneOf
from typedtool.codegen import generate


def test_objects_told_apart_by_a_required_constant_are_tagged() -> None:
    schema = {"type": "array", "items": {"oneOf": [CAT, DOG]}}
    cat, dog = decoded(schema, [{"kind": "cat", "lives": 9}, {"kind": "dog", "name": "Rex"}])
    assert (cat.lives, dog.name) == (9, "Rex")
    assert msgspec.to_builtins(dog) == {"kind": "dog", "name": "Rex"}
    assert type(cat).__name__ == "LookUpItemCat"
    assert refused(schema, [{"kind": "cow", "name": "x"}])
    assert "OneOf" not in generate(listing(tool(schema)))


def test_an_object_with_several_tags_is_split() -> None:
    pet = obj("kind", kind={"enum": ["bird", "fish"]}, legs={"type": "integer"})
    bird, fish, dog = decoded(
        {"type": "array", "items": {"anyOf": [pet, DOG]}},
        [{"kind": "bird", "legs": 2}, {"kind": "fish"}, {"kind": "dog", "name": "Rex"}],
    )
    assert [type(v).__name__ for v in (bird, fish, dog)] == [
        "LookUpItemBird",
        "LookUpItemFish",
        "LookUpItemDog",
    ]
    assert msgspec.to_builtins(fish) == {"kind": "fish"}


def test_a_tag_that_is_not_required_is_none() -> None:
    loose = obj("name", kind={"const": "dog"}, name={"type": "string"})
    schema = {"type": "object", "properties": {"pet": {"oneOf": [CAT, loose]}}, "required": ["pet"]}
    assert decoded(schema, {"pet": {"name": "Rex"}}).pet.name == "Rex"
    assert "OneOf[" in generate(listing(tool(schema)))


def test_objects_without_a_tag_are_one_of() -> None:
    schema = obj("hit", hit={"anyOf": [obj("title", title={"type": "string"}), obj("error", error={"type": "string"}), {"type": "null"}]})  # fmt: skip
    assert decoded(schema, {"hit": {"error": "gone"}}).hit.error == "gone"
    assert decoded(schema, {"hit": {"title": "Alien"}}).hit.title == "Alien"
    assert decoded(schema, {"hit": None}).hit is None
    assert refused(schema, {"hit": {}})


def test_a_record_that_two_unions_tag_differently_is_still_decoded() -> None:
    both = obj("a b", a={"const": "x"}, b={"const": "y"})
    defs = {"Both": both, "A": obj("a", a={"const": "z"}), "B": obj("b", b={"const": "w"})}
    ref = {name: {"$ref": f"#/$defs/{name}"} for name in defs}
    schema = {
        **obj("p q", p={"oneOf": [ref["Both"], ref["A"]]}, q={"oneOf": [ref["Both"], ref["B"]]}),
        "$defs": defs,
    }
    value = decoded(schema, {"p": {"a": "z"}, "q": {"a": "x", "b": "y"}})
    assert msgspec.to_builtins(value) == {"p": {"a": "z"}, "q": {"a": "x", "b": "y"}}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["string", "null"]}, str | None),
        ({"type": ["integer", "number"]}, float),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, int | float),
        ({"anyOf": [{"const": "a"}, {"const": "b"}]}, None),
        ({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "string", "format": "uuid"}]}, str),
        ({"oneOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": "string"}}]}, OneOf[list[int], list[str]]),
        ({"enum": [True, False]}, bool),
        ({"const": 1.5}, float),
        ({"enum": ["a", None]}, None),
        (True, object),
        ({"not": {}}, object),
        ({"minLength": 2}, None),
    ],
)  # fmt: skip
def test_scalars_and_their_unions(schema: Any, expected: Any) -> None:
    made = structure(output_of(schema))
    if expected is None:
        assert made in ("('a', 'b')", "('a',) | NullShape", "StrShapemsgspec.Meta(min_length=2)")
    else:
        assert made == structure(expected)
