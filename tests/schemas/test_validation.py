"""What `Schema.validate` says about values: the verdict, the words, and that it always comes back."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import threading
import time
from typing import Any

import pytest

from calibration import work_seconds, work_units
from typedtool.errors import BudgetExceeded, Problem
from typedtool.schemas.schema import parse_schema
from typedtool.values.budgets import Budget


def said(schema: Any, value: Any, **options: Any) -> list[str]:
    parsed = parse_schema(schema, **options)
    problems = parsed.validate(value)
    assert parsed.is_valid(value) is (not problems)
    return [f"{problem.code}: {problem}" for problem in problems]


# --- numbers


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, 1.5, False),
        ({"type": "integer"}, True, False),
        ({"type": "number"}, "5", False),
        ({"type": "integer"}, 10**1000, True),
        ({"minimum": 10**1000}, 10**1000 - 1, False),
        ({"maximum": 2**53}, 2**53 + 1, False),
        ({"const": 1}, 1.0, True),
        ({"const": 1}, True, False),
        ({"enum": [[0]]}, [False], False),
        ({"multipleOf": 0.01}, 19.99, True),
        ({"multipleOf": 0.01}, 19.995, False),
        ({"multipleOf": 3}, 10**1000, False),
        ({"uniqueItems": True}, [1, True], True),
        ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}], False),
    ],
)
def test_numbers_are_judged_exactly_by_both_engines(schema: Any, value: Any, valid: bool) -> None:
    parsed = parse_schema(schema)
    assert parsed.is_valid(value) is valid
    assert bool(list(parsed.validator.counted().failures(value, 1.0, 1))) is not valid


# --- what is no JSON

ANY_LOOKING = [
    {"type": "number"},
    {"minimum": 0},
    {"not": {"type": "number"}},
    {"multipleOf": 0.1},
    {"type": "string"},
    {"enum": [1]},
    {"oneOf": [{"type": "number"}, True]},
    {"pattern": "x"},
    {"if": {"type": "integer"}},
]
NO_JSON = [float("nan"), float("inf"), -float("inf"), "\ud800", object(), {1, 2}, b"x", 1j, 10**5000]


@pytest.mark.parametrize("schema", ANY_LOOKING, ids=json.dumps)
@pytest.mark.parametrize("value", NO_JSON, ids=lambda v: type(v).__name__)
def test_what_is_no_json_is_a_problem_wherever_the_schema_looks(schema: Any, value: Any) -> None:
    plain = isinstance(value, (tuple, int)) and schema in (
        {"type": "string"},
        {"enum": [1]},
        {"type": "number"},
    )
    problems = parse_schema(schema).validate(value)
    if plain and not problems:
        assert isinstance(value, int)  # a huge integer is a number all the same
        return
    assert problems and all(isinstance(problem, Problem) for problem in problems)
    if schema == {"type": "string"} and isinstance(value, str):
        return  # that it is a string is all that the schema asks
    nested = parse_schema({"properties": {"a": {"items": schema}}}).validate({"a": [value]})
    assert [problem.path for problem in nested] == ["$.a[0]"]
    assert nested[0].code == "json"


def test_a_tuple_is_an_array() -> None:
    for more in ({}, {"uniqueItems": True}, {"maxItems": 2}, {"contains": {"minimum": 1}}):
        schema = parse_schema({"type": "array", "prefixItems": [{"type": "array"}], **more})
        assert schema.is_valid(((1,), 2)) and schema.validate([(1,), 2]) == ()
        assert [problem.path for problem in schema.validate((5, 2))] == ["$[0]"]


def test_bad_names_of_properties_are_problems() -> None:
    for bad in ({"\ud800": 1}, {1: 2}):
        assert [p.code for p in parse_schema({"minProperties": 2}).validate(bad)] == ["json"]
        assert [
            p.path for p in parse_schema({"additionalProperties": {"type": "null"}}).validate({"x": bad})
        ] == ["$.x"]


# --- depth


def deep(levels: int, leaf: Any = 1) -> Any:
    for _ in range(levels):
        leaf = [leaf]
    return leaf


def on_small_stack(run: Any) -> Any:
    found: list[Any] = []
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(run()))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    return found[0]


@pytest.mark.parametrize("levels", [126, 1_000, 100_000])
def test_a_deep_value_is_judged_or_refused_and_crashes_nothing(levels: int) -> None:
    value = deep(levels)
    for schema in (
        {"items": {"$ref": "#"}},
        {"uniqueItems": True},
        {"const": [[1]]},
        {"not": {"items": {"type": "null"}}},
    ):
        parsed = parse_schema(schema)

        def outcome(parsed: Any = parsed) -> Any:
            try:
                return bool(parsed.validate(value))
            except BudgetExceeded as error:
                return error.what

        expected = {"depth"} if levels > 128 else {False, True}
        assert outcome() in expected and on_small_stack(outcome) in expected
    assert parse_schema({"type": "array"}).is_valid(value)


def test_deep_schemas_on_deep_values_crash_no_small_stack() -> None:
    chain: Any = {"items": {"$ref": "#"}}
    for _ in range(60):
        chain = {"not": {"not": chain}}
    parsed = parse_schema(chain)

    def outcome(levels: int) -> Any:
        try:
            return parsed.is_valid(deep(levels))
        except BudgetExceeded as error:
            return error.what

    assert [on_small_stack(lambda n=n: outcome(n)) for n in (4, 8, 60, 127)] == [True, True, "depth", "depth"]


# --- budgets


def refused(schema: Any, value: Any, **limits: Any) -> BudgetExceeded:
    with pytest.raises(BudgetExceeded) as caught:
        parse_schema(schema, Budget(**limits)).validate(value)
    return caught.value


def test_every_limit_of_a_value_is_enforced() -> None:
    recursive = {"items": {"$ref": "#"}}
    assert refused(recursive, deep(40), depth=30).what == "depth"
    assert refused(recursive, [[1]] * 100, nodes=50).what == "nodes"
    lookaheads = {"items": {"pattern": r"(?=.*a)(?=.*b)x"}}
    assert refused(lookaheads, ["a" * 50_000]).what == "pattern_text"
    union = {"items": {"anyOf": [{"required": [f"r{i}"]} for i in range(900)]}}
    assert (
        refused(union, [{"r899": 1}] * 60_000).what == "work"
    )  # valid: there is no problem to end the search early


def test_a_text_that_many_places_share_is_counted_and_not_put_together() -> None:
    text = "x" * 20_000
    assert (
        refused({"items": {"$ref": "#"}}, [text] * 400_000).what == "bytes"
    )  # eight gigabytes, if each were its own


def test_the_deadline_holds_in_any_thread() -> None:
    union = parse_schema(
        {"items": {"anyOf": [{"required": [f"r{i}"]} for i in range(900)]}}, Budget(seconds=0.2, work=0)
    )

    def judged() -> None:
        with pytest.raises(BudgetExceeded, match="work"):
            union.validate([{"r899": 1}] * 5_000)

    for run in (lambda: work_units(judged), lambda: on_small_stack(lambda: work_units(judged))):
        assert run() < 400  # by itself it takes thousands


@pytest.mark.parametrize("wrap", ["{}", '{"not": {}}', '{"anyOf": [{}, {"type": "null"}]}'])
def test_a_match_that_goes_back_too_often_is_no_verdict(wrap: str) -> None:
    evil = json.dumps({"pattern": r"^(?:(?:a|b|ab)(?=c|a|b))+d$"})
    parsed = parse_schema(json.loads(wrap.replace("{}", evil)))
    for judge in (parsed.is_valid, parsed.validate):
        with pytest.raises(BudgetExceeded, match="pattern_text"):
            judge("ab" * 400 + "c")
    assert parsed.is_valid("zzz") is ("not" in wrap)


def test_honest_large_values_pass() -> None:
    row = {"id": 1, "code": "ab-12", "at": "2026-01-01T00:00:00Z", "tags": ["x", "y"]}
    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "id": {"type": "integer", "minimum": 0},
                "code": {"type": "string", "pattern": "^[a-z]{2}-[0-9]+$"},
                "tags": {"type": "array", "items": {"enum": ["x", "y"]}},
            },
            "required": ["id", "code"],
        },
    }
    parsed = parse_schema(schema)
    assert parsed.is_valid([row] * 20_000)
    worse = [*[row] * 5_000, {**row, "id": -1}]
    problems = parsed.validate(worse)
    assert [(p.code, p.path) for p in problems] == [("minimum", "$[5000].id")]
    tree: Any = {"name": "leaf", "children": []}
    for _ in range(12):
        tree = {"name": "n", "children": [tree, tree]}  # 4,096 leaves
    nodes = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["name"],
    }
    assert parse_schema(nodes).is_valid(tree)


def test_an_honest_recursive_union_is_judged_at_once() -> None:
    kinds = [f"t{i}" for i in range(25)]
    block = {"oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in kinds]}
    children = {"type": "array", "items": {"$ref": "#/$defs/block"}}
    defs = {
        kind: {
            "type": "object",
            "properties": {"children": children, "text": {"type": "string"}, "type": {"const": kind}},
            "required": ["type"],
        }
        for kind in kinds
    }
    schema = parse_schema(
        {"type": "array", "items": {"$ref": "#/$defs/block"}, "$defs": {"block": block, **defs}}
    )

    def page(depth: int) -> Any:
        return {
            "type": f"t{depth}",
            "text": "x",
            "children": [page(depth - 1) for _ in range(3)] if depth else [],
        }

    assert schema.is_valid([page(6)] * 3)  # 3,279 blocks: for jsonschema, more than an hour
    wrong = page(2)
    wrong["children"][1]["text"] = 5
    assert [problem.path for problem in schema.validate([wrong])] == ["$[0].children[1].text"]


def test_values_that_need_not_be_walked_are_not() -> None:
    class Untouched(dict[str, Any]):
        def values(self) -> Any:
            raise AssertionError("walked")

        items = keys = values

    schema = parse_schema({"type": "object", "properties": {"a": {"type": "integer"}}})
    assert schema.is_valid({"a": 1, "b": Untouched(c=1)})


# --- formats


def test_formats_are_annotations_unless_asserted() -> None:
    schema = {"type": "string", "format": "date-time"}
    assert said(schema, "yesterday") == []
    assert said(schema, "yesterday", assert_formats=True) == [
        "format: expected a string of format 'date-time', received string of 9 characters at $"
    ]
    assert said({"format": "uint64"}, 2**64 - 1, assert_formats=True) == []


# --- the event loop


def test_the_event_loop_is_never_held_longer_than_the_budget() -> None:
    nasty: list[tuple[Any, Any]] = [
        ({"items": {"anyOf": [{"required": [f"r{i}"]} for i in range(900)]}}, [{"z": 1}] * 8_000),
        ({"pattern": "^(a+)+$"}, "a" * 40 + "!"),
        ({"items": {"pattern": "(?=.*a)(?=.*b)x"}}, ["a" * 900] * 200),
        ({"uniqueItems": True}, [{"a": i, "b": [i]} for i in range(20_000)]),
    ]
    gaps: list[float] = []
    unit = work_seconds()

    async def tick() -> None:
        last = time.thread_time()
        while True:
            await asyncio.sleep(0.001)
            gaps.append(time.thread_time() - last)
            last = time.thread_time()

    async def main() -> None:
        ticking = asyncio.create_task(tick())
        for schema, value in nasty:
            parsed = parse_schema(schema)
            await asyncio.sleep(0.01)
            with contextlib.suppress(BudgetExceeded):
                parsed.validate(value)
            await asyncio.sleep(0.01)
        ticking.cancel()

    gc.collect()
    gc.freeze()  # what the other tests of this process left behind is not to be collected in between
    try:
        asyncio.run(main())
    finally:
        gc.unfreeze()
    assert len(gaps) > 10
    assert max(gaps) < 60 * max(
        unit, work_seconds()
    )  # what the thread of the loop computed between two ticks
