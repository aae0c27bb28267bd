"""The one unwrap rule: which ways to read `{"result": value}` are tried in which order, by where the value came from."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET, Struct

from typedtool import TypedTool
from typedtool.decoding.unwrapping import Unwrapping, is_marked
from typedtool.results.definitions import Definition
from typedtool.types.plan import plan_of


class Holder(Struct):
    result: int


DECLARED = {"type": "object", "properties": {"result": {}}, "required": ["result"]}
MARKED = {"type": "object", "x-fastmcp-wrap-result": True}
OTHER = {"type": "object"}
SCHEMAS = {"none": UNSET, "another": OTHER, "declares result": DECLARED, "marks it": MARKED}

# T unwraps, F takes the object as it is: in structuredContent, the same of a result with a mark, in text, the same with a mark.
TABLE = {
    (list[int], "none"): "T T F T",
    (list[int], "another"): "F T F T",
    (list[int], "declares result"): "T T T T",
    (list[int], "marks it"): "T T T T",
    (dict, "none"): "F T F TF",
    (dict, "another"): "F T F TF",
    (dict, "declares result"): "TF T TF TF",
    (dict, "marks it"): "T T TF TF",
    (Holder, "none"): "F FT F FT",
    (Holder, "another"): "F FT F FT",
    (Holder, "declares result"): "F FT F FT",
    (Holder, "marks it"): "FT FT F FT",
    (Holder | None, "none"): "FT FT F FT",
    (Holder | None, "another"): "F FT F FT",
    (Holder | None, "declares result"): "FT FT FT FT",
    (Holder | None, "marks it"): "FT FT FT FT",
}


@pytest.mark.parametrize(("case", "ways"), TABLE.items(), ids=lambda value: str(value))
def test_what_is_tried_follows_from_type_definition_mark_and_source(case: Any, ways: str) -> None:
    tp, schema = case
    found = Unwrapping.of(plan_of(tp).traits, Definition("t", output_schema=SCHEMAS[schema]))
    tried = (found.structured, found.marked, found.text, found.marked_text)
    assert " ".join("".join("FT"[unwrap] for unwrap in each) for each in tried) == ways
    assert found.declared == (schema in ("declares result", "marks it"))


@pytest.mark.parametrize(
    ("meta", "marked"),
    [
        ({"fastmcp": {"wrap_result": True}}, True),
        ({"x-fastmcp-wrap-result": True}, True),
        ({"fastmcp": {"wrap_result": 1}}, False),
        ({"fastmcp": {}, "x-fastmcp-wrap-result": "yes"}, False),
        ({"fastmcp": True}, False),
        ({}, False),
    ],
)
def test_a_mark_of_the_result_is_a_true_under_its_name(meta: dict[str, Any], marked: bool) -> None:
    assert is_marked(meta) is marked


@pytest.mark.parametrize(
    ("value", "unwrapped"),
    [({"result": [1]}, True), ({"result": [1], "next": 2}, False), ({"rows": [1]}, False)],
)
def test_only_an_object_of_exactly_the_key_result_is_unwrapped(value: Any, unwrapped: bool) -> None:
    outcome = TypedTool[None, object]("t").read(
        {"content": [], "structuredContent": value, "_meta": {"fastmcp": {"wrap_result": True}}}
    )
    assert outcome.unwrapped is unwrapped  # type: ignore[union-attr]
