"""What is not admitted is refused in exact words, at its place; the budget of a schema is exact."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from typedtool.errors import BudgetExceeded, SchemaError
from typedtool.schemas.schema import parse_schema
from typedtool.values.budgets import Budget

# A schema, the class of the error, and its what, rule, pointer and hint.
REFUSED: list[list[Any]] = json.loads(pathlib.Path(__file__).with_name("refused.json").read_text())


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: json.dumps(row[0]))
def test_a_refused_schema_says_what_is_wrong_where_and_the_way_out(row: list[Any]) -> None:
    schema, *expected = row
    with pytest.raises(SchemaError) as caught:
        parse_schema(schema, tool="t")
    error = caught.value
    assert [type(error).__name__, error.what, error.rule, error.pointer, error.hint] == expected
    assert error.tool == "t"


@pytest.mark.parametrize(
    ("limit", "least", "schema"),
    [
        ("subschemas", 3, {"allOf": [True, {}]}),
        ("expansion", 5, {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {}}}),
        ("patterns", 66, {"allOf": [{"pattern": "a"}, {"patternProperties": {"b": True}}]}),
        ("depth", 4, {"not": {"not": {"not": {}}}}),
    ],
)
def test_a_schema_may_cost_what_its_budget_says_and_no_more(limit: str, least: int, schema: Any) -> None:
    parse_schema(schema, Budget(**{limit: least}))
    with pytest.raises(BudgetExceeded) as caught:
        parse_schema(schema, Budget(**{limit: least - 1}), tool="t")
    assert (caught.value.what, caught.value.limit, caught.value.tool) == (limit, least - 1, "t")


def test_a_pattern_is_counted_wherever_it_stands_and_where_it_is_too_much_is_said() -> None:
    schema = {"properties": {"a": {"pattern": "x" * 100}}}
    with pytest.raises(BudgetExceeded) as caught:
        parse_schema(schema, Budget(patterns=100))
    assert caught.value.pointer == "/properties/a"


def test_a_schema_that_is_rewritten_for_an_engine_stays_as_it_was_given() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft-07/schema",
        "patternProperties": {r"^\:(?P<a>b)$": {"type": "integer"}, r"^:(?<a>b)$": {"minimum": 3}},
        "properties": {"never": False, "any": True},
    }
    given = json.dumps(schema)
    parsed = parse_schema(schema)
    for value, verdict in (
        ({":b": 3}, True),
        ({":b": 2}, False),
        ({":b": "x"}, False),
        ({"never": 1}, False),
    ):
        assert parsed.is_valid(value) is verdict
        assert bool(list(parsed.validator.counted().failures(value, 5.0, 1))) is not verdict
    assert json.dumps(schema) == given == json.dumps(parsed.document)
