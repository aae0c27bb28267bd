"""What a schema can cost is counted before an engine sees it."""

from __future__ import annotations

from typing import Any

import pytest

from typedtool.schemas.expansion import Expansion, expansion_of, loop_in
from typedtool.schemas.schema import parse_schema

TEXT: Any = {"type": "string"}


def counted(schema: Any) -> Expansion:
    return expansion_of(parse_schema(schema).admitted)


@pytest.mark.parametrize(
    ("schema", "size", "evaluations", "chain"),
    [
        (True, 1, 1, 0),
        (TEXT, 1, 1, 0),
        ({"allOf": [TEXT, TEXT]}, 3, 3, 1),
        ({"allOf": [{"allOf": [TEXT]}]}, 3, 3, 2),
        ({"properties": {"a": TEXT, "b": TEXT}}, 3, 1, 0),  # a value meets one of them
        ({"properties": {"a": {"allOf": [TEXT]}}}, 3, 2, 1),
        ({"patternProperties": {"a": TEXT, "b": TEXT}}, 3, 2, 0),  # a value may meet both
        ({"properties": {"a": TEXT}, "additionalProperties": TEXT}, 3, 2, 0),
        ({"$defs": {"a": TEXT}}, 1, 1, 0),  # kept, and never evaluated
        ({"$ref": "#/$defs/a", "$defs": {"a": TEXT}}, 2, 2, 1),
        ({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": TEXT}}, 5, 5, 2),
        ({"enum": list(range(15))}, 3, 3, 0),  # an eighth for each of 16 values
        ({"const": [[1]]}, 1, 1, 0),
        ({"required": [f"r{i}" for i in range(16)]}, 3, 3, 0),
        ({"uniqueItems": True}, 11, 11, 0),
        ({"uniqueItems": False}, 1, 1, 0),
        ({"multipleOf": 2}, 26, 26, 0),
        ({"allOf": [TEXT], "unevaluatedProperties": False}, 5, 4, 1),  # in place three times
        (
            {"allOf": [TEXT], "unevaluatedProperties": False, "unevaluatedItems": False},
            8,
            7,
            1,
        ),  # a child meets both, too
    ],
)
def test_the_work_of_a_schema_is_counted(schema: Any, size: int, evaluations: int, chain: int) -> None:
    found = counted(schema)
    assert (found.size, found.evaluations, found.chain) == (size, evaluations, chain)
    assert found.recursions == 0 and not found.recursive


def test_recursions_are_counted_and_cut() -> None:
    tree = counted({"items": {"$ref": "#"}})
    assert (tree.recursions, tree.recursive, tree.chain) == (1, True, 1)
    two = counted(
        {
            "items": {"$ref": "#/$defs/a"},
            "$defs": {"a": {"properties": {"x": {"$ref": "#"}, "y": {"$ref": "#/$defs/a"}}}},
        }
    )
    assert two.recursions == 2
    assert counted({"$ref": "https://json-schema.org/draft/2020-12/schema"}).recursions == 2
    assert counted({"$ref": "https://json-schema.org/draft/2020-12/schema"}).size == 301


def test_a_schema_that_refers_to_itself_in_place_is_found() -> None:
    from typedtool.schemas.admission import admit
    from typedtool.schemas.dialects import DEFAULT_DIALECT
    from typedtool.values.budgets import DEFAULT_BUDGET

    def found(schema: Any) -> int | None:
        return loop_in(admit(schema, DEFAULT_DIALECT, DEFAULT_BUDGET, {}))

    assert found({"items": {"$ref": "#"}}) is None
    assert found({"allOf": [{"$ref": "#"}]}) is not None
    assert (
        found({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"not": {"$ref": "#/$defs/x"}}}})
        is not None
    )
