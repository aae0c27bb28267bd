"""What a schema refuses is told in words that hold no value, at the place in the value, within a bound."""

from __future__ import annotations

import json
import pathlib
import time
from typing import Any

import pytest

from typedtool.errors import Problem
from typedtool.schemas.schema import parse_schema
from typedtool.values.budgets import Budget
from typedtool.values.walking import measured


def said(schema: Any, value: Any, **options: Any) -> list[str]:
    parsed = parse_schema(schema, **options)
    problems = parsed.validate(value)
    assert parsed.is_valid(value) is (not problems)
    return [f"{problem.code}: {problem}" for problem in problems]


# --- the words

WORDS: list[list[Any]] = json.loads((pathlib.Path(__file__).with_name("words.json")).read_text())


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row[2].split(":")[0])
def test_a_problem_says_what_was_expected_and_what_came(row: list[Any]) -> None:
    schema, value, sentence, *_ = row
    assert said(schema, value) == [sentence]


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row[2].split(":")[0])
def test_past_the_steps_of_explaining_the_first_engine_names_keyword_and_place(row: list[Any]) -> None:
    """A row has other words for it where jsonschema-rs tells less."""
    schema, value, *sentences = row
    parsed = parse_schema(schema)
    told = parsed.validator._told(value, measured(value, parsed.budget))
    assert f"{told.code}: {told}" == sentences[-1]


def test_the_first_engine_names_the_place_in_a_value_too_large_to_explain() -> None:
    rows = {"type": "array", "items": {"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}}
    late = parse_schema(rows).validate([{"a": 1, "b": "x"}] * 300_000 + [{"a": "x"}])
    assert [str(problem) for problem in late] == ["expected integer, received string at $[300000].a"]


def test_an_explanation_is_the_same_however_slow_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    block = {
        "type": "object",
        "properties": {
            "children": {"type": "array", "items": {"$ref": "#/$defs/block"}},
            "text": {"type": "string"},
        },
    }
    schema = {"type": "array", "items": {"$ref": "#/$defs/block"}, "$defs": {"block": block}}
    value = [{"children": [{"text": "x"}, {"text": 5}]}]
    passed = iter(range(10**9))
    monkeypatch.setattr(time, "perf_counter", lambda: 10.0 * next(passed))  # ten seconds between two looks
    problems = parse_schema(schema).validate(value)
    assert [str(problem) for problem in problems] == [
        "expected string, received integer at $[0].children[1].text"
    ]


def test_what_explaining_may_cost_is_counted() -> None:
    rows = {"type": "array", "items": {"properties": {"a": {"$ref": "#"}, "b": {"type": "string"}}}}
    parsed = parse_schema(rows)
    near = parsed.validate([{"b": "x"}] * 1_000 + [{"b": 1}])
    assert [problem.path for problem in near] == ["$[1000].b"]
    assert parsed.validate([{"b": "x"}] * 20_000 + [{"b": 1}]) == (
        Problem("schema", "$", "a value that the schema allows (not explained within the budget)", "array"),
    )


def test_a_problem_names_the_place_as_a_jsonpath() -> None:
    schema = {"properties": {"rows": {"items": {"additionalProperties": {"type": "string"}}}}}
    assert said(schema, {"rows": [{}, {"first name": 1, "ok": "x"}]}) == [
        'type: expected string, received integer at $.rows[1]["first name"]'
    ]


def test_of_a_failed_union_the_branch_that_got_deepest_is_told() -> None:
    def branch(tag: str, **more: Any) -> Any:
        return {"type": "object", "properties": {"kind": {"const": tag}, **more}, "required": ["kind"]}

    schema = {
        "anyOf": [
            branch("a", rows={"items": {"type": "integer"}}),
            branch("b", rows={"items": {"type": "string"}}),
            {"type": "null"},
        ]
    }
    assert said(schema, {"kind": "b", "rows": ["x", 1]}) == [
        "type: expected string, received integer at $.rows[1]"
    ]
    assert said({"items": schema}, [{"kind": "a", "rows": ["x"]}]) == [
        "type: expected integer, received string at $[0].rows[0]"
    ]
    assert said(schema, {"kind": "zzz"}) == [
        "anyOf: expected one of 3 alternatives, received object of 1 property at $"
    ]
    assert said(schema, 5) == ["type: expected object or null, received integer at $"]


def test_problems_never_hold_a_value() -> None:
    secret = "hunter2-9f8e7d"
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"enum": ["x", "y"]},
            "c": {"pattern": "^z"},
            "d": {"maxLength": 1},
            "e": {"anyOf": [{"type": "null"}, {"const": 4}]},
            "f": {"not": {}},
            "g": {"format": "ipv4"},
            "h": {"contains": {"type": "null"}},
        },
    }
    value = {**dict.fromkeys("abcdefg", secret), "h": [secret]}
    problems = parse_schema(schema, assert_formats=True).validate(value)
    assert len(problems) == 8
    assert secret not in repr(problems)


def test_problems_are_bounded_in_number_and_size() -> None:
    many = parse_schema({"items": {"type": "string"}}).validate(list(range(10_000)))
    assert (
        len(many) == 20
        and len(parse_schema({"items": {"type": "string"}}, Budget(problems=3)).validate([1] * 9)) == 3
    )
    wide = parse_schema({"additionalProperties": False}).validate({"k" * 100_000: 1})
    tall = parse_schema({"enum": ["v" * 100_000]}).validate({"k" * 100_000: 1})
    deep = parse_schema({"const": "p" * 100_000}).validate(["x" * 1_000_000])
    assert all(len(str(found[0])) <= 400 and len(found) == 1 for found in (wide, tall, deep))


def test_all_that_is_wrong_is_told_at_once() -> None:
    schema = {"required": ["a", "b"], "properties": {"c": {"type": "string"}}, "additionalProperties": False}
    assert {problem.code for problem in parse_schema(schema).validate({"c": 1, "d": 2})} == {
        "required",
        "type",
        "additionalProperties",
    }


# --- unions


def tagged(tag: str, **properties: Any) -> Any:
    return {"type": "object", "properties": {"kind": {"const": tag}, **properties}, "required": ["kind"]}


@pytest.mark.parametrize(
    ("branches", "value", "sentences"),
    [
        # the branch whose tag holds, though another got as deep
        (
            [tagged("a", x={"type": "integer"}), tagged("b", x={"type": "null"})],
            {"kind": "a", "x": "s"},
            ["type: expected integer, received string at $.x"],
        ),
        # no tag holds: which branch was meant is not known
        (
            [tagged("a"), tagged("b")],
            {"kind": "c"},
            ["anyOf: expected one of 2 alternatives, received object of 1 property at $"],
        ),
        # one branch takes the kind: its tag is told
        (
            [tagged("a"), {"type": "null"}],
            {"kind": "c"},
            ['const: expected "a", received string of 1 character at $.kind'],
        ),
        ([tagged("a"), {"type": "null"}], {}, ["required: expected a value, received nothing at $.kind"]),
        # the kinds that would do, each once
        (
            [{"type": "string"}, {"type": "null"}, {"type": "string"}],
            1,
            ["type: expected string or null, received integer at $"],
        ),
        # of two branches as deep, the one with fewer problems
        (
            [
                {"properties": {"x": {"type": "string"}, "y": {"type": "string"}}},
                {"properties": {"x": {"type": "string"}}},
            ],
            {"x": 1, "y": 2},
            ["type: expected string, received integer at $.x"],
        ),
        # as shallow and as many: none is preferred
        (
            [{"minimum": 3}, {"multipleOf": 7}],
            2,
            ["anyOf: expected one of 2 alternatives, received integer at $"],
        ),
        # a union in a union
        (
            [
                {"type": "object", "properties": {"x": {"anyOf": [{"type": "null"}, {"type": "string"}]}}},
                {"type": "string"},
            ],
            {"x": 1},
            ["type: expected null or string, received integer at $.x"],
        ),
    ],
)
def test_a_failed_union_tells_of_the_branch_that_was_meant(
    branches: list[Any], value: Any, sentences: list[str]
) -> None:
    assert said({"anyOf": branches}, value) == sentences
    assert said({"items": {"anyOf": branches}}, [value]) == [
        s.replace(" at $", " at $[0]") for s in sentences
    ]
    expected = [s.replace("anyOf: expected one", "oneOf: expected exactly one") for s in sentences]
    assert said({"oneOf": branches}, value) == expected
