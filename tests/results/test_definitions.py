"""Entries of tools/list and listings, read once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import UNSET

from typedtool.results.definitions import Definition, read_definition, read_listing
from typedtool.values.keys import INPUT_KEY, SCHEMA_KEY


def sdk() -> Any:
    return pytest.importorskip("mcp_types", reason="the models of SDK 2.x")


def test_a_definition_is_read_from_a_dict_or_a_model() -> None:
    wire = {
        "name": "t",
        "description": "d",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "array"},
    }
    for entry in (wire, sdk().Tool.model_validate(wire)):
        definition = read_definition(entry)
        assert (definition.name, definition.description) == ("t", "d")
        assert definition.output_schema == {"type": "array"}
        assert read_definition(definition) is definition
    assert read_definition({"name": "t", "outputSchema": None}).output_schema is UNSET
    kept = {"name": "t", "outputSchema": {"type": "object"}, "_meta": {SCHEMA_KEY: {"type": "array"}}}
    assert read_definition(kept).output_schema == {"type": "array"}


def test_what_is_no_definition_or_listing_is_a_type_error() -> None:
    for wrong in (None, 5, {}, {"name": 5}):
        with pytest.raises(TypeError, match="a tool of tools/list"):
            read_definition(wrong)
    for wrong in (None, 5, "tools", {}, {"tools": 5}):
        with pytest.raises(TypeError, match="a listing"):
            read_listing(wrong)
    assert [d.name for d in read_listing({"tools": [{"name": "a"}, {}, 5, {"name": "b"}]})] == ["a", "b"]
    assert [d.name for d in read_listing({"result": {"tools": [{"name": "a"}]}})] == ["a"]


@pytest.mark.parametrize(
    ("schema", "wraps"),
    [
        ({"type": "object", "properties": {"result": {}}, "required": ["result"]}, True),
        ({"properties": {"result": {}}, "required": ["result"], "title": "x"}, True),
        ({"type": "object", "properties": {"result": {}}}, False),
        ({"type": "object", "properties": {"result": {}, "n": {}}, "required": ["result"]}, False),
        ({"type": "array"}, False),
        (True, False),
        (5, False),
    ],
)
def test_a_schema_declares_a_wrapper_where_it_has_exactly_the_required_result(
    schema: Any, wraps: bool
) -> None:
    assert read_definition({"name": "t", "outputSchema": schema}).declares_result is wraps


def test_what_the_tolerant_transport_kept_is_read_in_place_of_what_it_sent() -> None:
    meta = {INPUT_KEY: {"type": "object"}, SCHEMA_KEY: {"type": "array"}}
    definition = read_definition({"name": "t", "inputSchema": {}, "outputSchema": {}, "_meta": meta})
    assert (definition.input_schema, definition.output_schema) == ({"type": "object"}, {"type": "array"})
    assert definition.meta is meta


def test_the_entry_is_kept_and_what_is_of_another_kind_counts_as_absent() -> None:
    entry = {"name": "t", "description": 5, "_meta": [1]}
    definition = read_definition(entry)
    assert definition == Definition("t", raw=entry)
    assert definition.raw is entry
    assert definition.input_schema is definition.output_schema is UNSET


def test_the_first_of_two_spellings_is_read() -> None:
    entry = SimpleNamespace(name="t", inputSchema={"a": 1}, output_schema={"b": 1}, outputSchema={"c": 1})
    definition = read_definition(entry)
    assert (definition.input_schema, definition.output_schema) == ({"a": 1}, {"b": 1})
    assert (definition.description, definition.meta) == ("", {})


def test_a_definition_is_shown_by_its_name_cut() -> None:
    assert repr(Definition("now", output_schema={"a": "x" * 9_000})) == "Definition('now')"
    assert len(repr(Definition("x" * 9_000))) < 100


def test_a_listing_is_a_model_a_response_or_a_sequence_of_entries() -> None:
    tool = sdk().Tool.model_validate({"name": "a", "inputSchema": {"type": "object"}})
    for listing in (
        sdk().ListToolsResult(tools=[tool]),
        [tool],
        (tool, object()),
        {"tools": [tool]},
        {"result": {"tools": ({"name": "a"},)}},
    ):
        assert [definition.name for definition in read_listing(listing)] == ["a"]
    for wrong in ({"result": 5}, {"result": {"tools": "a"}}):
        with pytest.raises(TypeError, match="received object"):
            read_listing(wrong)


@pytest.mark.parametrize(
    ("schema", "wraps"),
    [
        ({"x-fastmcp-wrap-result": True}, True),
        ({"x-fastmcp-wrap-result": 1}, False),
        ({}, False),
        (True, False),
    ],
)
def test_a_schema_is_marked_as_a_wrapper_by_true_alone(schema: Any, wraps: bool) -> None:
    assert read_definition({"name": "t", "outputSchema": schema}).wraps_result is wraps
