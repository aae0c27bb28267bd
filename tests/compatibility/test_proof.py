"""`compare`: what is proved, what is refuted by which witness, what is not known and why."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import enum
import json
import time
import warnings
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict, Union

import msgspec
import pytest
from msgspec import Meta, Struct, UnsetType
from typing_extensions import NotRequired

import hostile_draw
from calibration import work_seconds, work_units
from typedtool import Budget, BudgetExceeded, Incompatible, OneOf, SchemaError, TypedTool, parse_schema
from typedtool.compatibility.proof import Comparison, Proved, Refuted, Unknown, compare
from typedtool.compatibility.proof.questions import Questions
from typedtool.compatibility.proof.schemaforms import SchemaForms


class Hour(Struct):
    hour: str
    temp: float


class Closed(Struct, forbid_unknown_fields=True):
    a: int


class Tree(Struct):
    value: int
    children: list[Tree] = []


class Twig(Struct):
    value: int
    children: list[Twig] = []


class Cat(Struct, tag="cat"):
    lives: int


class Dog(Struct, tag="dog"):
    tail: str


class Wordy(Struct):
    """The keys of a Cat, untagged."""

    lives: int
    words: str = ""


class Color(enum.Enum):
    RED = "red"


class Point(NamedTuple):
    x: int
    y: int = 0


class Row(Struct, array_like=True):
    x: int


class Picky(Struct):
    a: int

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("negative")


class Loose(TypedDict):
    a: int
    b: NotRequired[str]


def obj(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return schema if required is None else {**schema, "required": required}


INT, STR, NUM = {"type": "integer"}, {"type": "string"}, {"type": "number"}
TREE = {
    "$ref": "#/$defs/t",
    "$defs": {"t": obj(["value"], value=INT, children={"type": "array", "items": {"$ref": "#/$defs/t"}})},
}
ANIMALS = {
    "oneOf": [
        obj(["type", "lives"], type={"const": "cat"}, lives=INT),
        obj(["type", "tail"], type={"const": "dog"}, tail=STR),
    ]
}

PROVED, REFUTED, UNKNOWN = Proved, Refuted, Unknown

# type, schema, accepts, guarantees
TABLE: list[tuple[Any, Any, Any, Any]] = [
    (int, INT, PROVED, PROVED),
    (int, NUM, REFUTED, PROVED),
    (float, INT, PROVED, REFUTED),
    (Optional[int], {"type": ["integer", "null"]}, PROVED, PROVED),
    (int, {"anyOf": [INT, {"type": "null"}]}, REFUTED, PROVED),
    (Any, {"not": {"type": "null"}}, PROVED, REFUTED),
    (Hour, True, REFUTED, PROVED),
    (Hour, False, PROVED, REFUTED),
    (Hour, obj(["hour", "temp"], hour=STR, temp=NUM), PROVED, PROVED),
    (Hour, obj(["hour"], hour=STR, temp=NUM), REFUTED, PROVED),
    (Hour, obj(["hour", "temp"], hour=STR, temp=STR), REFUTED, REFUTED),
    (Hour, {**obj(["hour", "temp"], hour=STR, temp=NUM), "additionalProperties": False}, PROVED, REFUTED),
    (Closed, {**obj(["a"], a=INT), "additionalProperties": False}, PROVED, PROVED),
    (Closed, obj(["a"], a=INT), REFUTED, PROVED),
    (Closed, {**obj(["a"], a=INT), "unevaluatedProperties": False}, PROVED, PROVED),
    (Tree, TREE, PROVED, PROVED),
    (Twig, TREE, PROVED, PROVED),
    (Union[Cat, Dog], ANIMALS, PROVED, PROVED),
    (Cat, ANIMALS, REFUTED, REFUTED),
    (
        Optional[Cat],
        {"anyOf": [{"type": "null"}, obj(["lives"], type={"const": "cat"}, lives=INT)]},
        PROVED,
        PROVED,
    ),
    (
        Optional[Cat],
        {"anyOf": [{"type": "null"}, ANIMALS["oneOf"][0]]},
        PROVED,
        REFUTED,
    ),  # a lone tag may be missing
    (Literal["a", "b"], {"enum": ["a", "b"]}, PROVED, PROVED),
    (Literal["a"], {"enum": ["a", "b"]}, REFUTED, PROVED),
    (Literal[1], {"const": 1.0}, PROVED, PROVED),
    (Color, {"const": "red"}, PROVED, PROVED),
    (datetime.datetime, {"type": "string", "format": "date-time"}, REFUTED, PROVED),
    (decimal.Decimal, STR, REFUTED, REFUTED),
    (decimal.Decimal, {"type": ["string", "number"]}, REFUTED, PROVED),
    (Annotated[int, Meta(ge=0, lt=10)], {**INT, "minimum": 0, "maximum": 9}, PROVED, PROVED),
    (Annotated[int, Meta(multiple_of=4)], {**INT, "multipleOf": 2}, REFUTED, PROVED),
    (Annotated[float, Meta(le=2**53)], {**NUM, "maximum": 2**53}, UNKNOWN, UNKNOWN),
    (Annotated[str, Meta(min_length=1)], {**STR, "minLength": 2}, PROVED, REFUTED),
    (Annotated[str, Meta(pattern="^[a-z]+")], {**STR, "pattern": "^[a-z]+"}, PROVED, PROVED),
    (Annotated[str, Meta(pattern="^a$")], {**STR, "pattern": "^a$"}, PROVED, UNKNOWN),  # Python's takes "a\n"
    (Annotated[str, Meta(pattern=r"^\d+$")], {**STR, "pattern": r"^\d+$"}, PROVED, UNKNOWN),
    (Annotated[str, Meta(pattern="(?=a)a")], {**STR, "pattern": "(?=a)a"}, UNKNOWN, UNKNOWN),
    (list[int], {"type": "array", "items": INT}, PROVED, PROVED),
    (list[int], {"type": "array", "items": INT, "uniqueItems": True}, PROVED, REFUTED),
    (set[int], {"type": "array", "items": INT, "uniqueItems": True}, PROVED, REFUTED),
    (
        Annotated[set[int], Meta(max_length=1)],
        {"type": "array", "maxItems": 1, "items": INT},
        PROVED,
        UNKNOWN,
    ),
    (
        tuple[int, str],
        {"type": "array", "prefixItems": [INT, STR], "items": False, "minItems": 2},
        PROVED,
        PROVED,
    ),
    (tuple[int, str], {"type": "array", "prefixItems": [INT, STR], "minItems": 2}, REFUTED, PROVED),
    (Point, {"type": "array", "prefixItems": [INT, INT], "items": False, "minItems": 1}, PROVED, PROVED),
    (Row, {"type": "array", "prefixItems": [INT], "items": False, "minItems": 1}, PROVED, REFUTED),
    (list[str], {"type": "array", "items": STR, "contains": {"const": "x"}}, PROVED, REFUTED),
    (dict[str, int], {"type": "object", "additionalProperties": INT}, PROVED, PROVED),
    (
        dict[Literal["a"], int],
        {"type": "object", "propertyNames": {"const": "a"}, "additionalProperties": INT},
        PROVED,
        PROVED,
    ),
    (
        dict[str, int],
        {"type": "object", "patternProperties": {"^x": INT}, "additionalProperties": False},
        PROVED,
        REFUTED,
    ),
    (Loose, obj(["a"], a=INT, b=STR), PROVED, PROVED),
    (Picky, obj(["a"], a=INT), UNKNOWN, PROVED),
    (
        OneOf[Cat, Wordy],
        {"anyOf": [obj(["lives"], lives=INT, type={"const": "cat"}, words=STR)]},
        PROVED,
        REFUTED,
    ),
    (str, {"type": "string", "not": {"const": "x"}}, PROVED, REFUTED),
    (str, {"if": {"type": "string"}, "then": {"maxLength": 3}, "else": False}, PROVED, REFUTED),
    (
        dict[str, str],
        {"type": "object", "additionalProperties": STR, "dependentRequired": {"a": ["b"]}},
        PROVED,
        REFUTED,
    ),
    # wrapped: as the decoder unwraps it
    (int, obj(["result"], result=INT), PROVED, PROVED),
    (list[Hour], obj(["result"], result=STR), UNKNOWN, REFUTED),
    (int, obj(["result"], result=STR), REFUTED, REFUTED),
    # dialects
    (
        tuple[int, str],
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "array",
            "items": [INT, STR],
            "additionalItems": False,
            "minItems": 2,
        },
        PROVED,
        PROVED,
    ),
    (int, {"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}, PROVED, UNKNOWN),
    (
        Annotated[int, Meta(gt=0)],
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "number",
            "minimum": 0,
            "exclusiveMinimum": True,
        },
        REFUTED,
        PROVED,
    ),
]


@pytest.mark.parametrize(("tp", "schema", "accepts", "guarantees"), TABLE)
def test_both_verdicts_are_those_of_the_table_and_an_unknown_says_why(
    tp: Any, schema: Any, accepts: Any, guarantees: Any
) -> None:
    found = compare(tp, schema)
    assert (type(found.accepts), type(found.guarantees)) == (accepts, guarantees), found
    for verdict in (found.accepts, found.guarantees):
        if isinstance(verdict, Unknown):
            assert verdict.why, "an Unknown says why"


class Query(Struct):
    a: int
    b: Union[str, UnsetType] = msgspec.UNSET
    c: int = 5


class Brief(Struct, omit_defaults=True):
    a: int
    c: int = 5


INPUTS: list[tuple[Any, Any, Any]] = [
    (
        Query,
        {**obj(["a", "c"], a=INT, b=STR, c=INT), "additionalProperties": False},
        PROVED,
    ),  # a default is sent
    (Query, obj(["a", "b"], a=INT, b=STR), REFUTED),  # what is unset is left out
    (Brief, obj(["a", "c"], a=INT, c=INT), REFUTED),
    (Query, {**obj(["a"], a=INT), "additionalProperties": False}, REFUTED),
    (Query, obj(["a"], a=STR), REFUTED),
    (Cat, obj(["type"], type={"const": "cat"}), PROVED),  # a tag is always sent
    (None, {"type": "object"}, PROVED),
    (None, obj(["a"], a=INT), REFUTED),
    (dict[str, Any], obj(["a"], a=INT), REFUTED),
]


@pytest.mark.parametrize(("tp", "schema", "guarantees"), INPUTS)
def test_inputs_are_compared_as_they_are_sent(tp: Any, schema: Any, guarantees: Any) -> None:
    assert type(compare(tp, schema, side="input").guarantees) is guarantees


def test_a_witness_is_small() -> None:
    schema = obj(["hour"], hour=STR, temp=NUM, more={"type": "array", "items": TREE["$defs"]["t"]})
    schema["$defs"] = TREE["$defs"]
    assert compare(Hour, schema).accepts == Refuted({"hour": ""})


def test_unknown_names_json_inside_of_a_string() -> None:
    verdict = compare(list[Hour], obj(["result"], result=STR)).accepts
    assert isinstance(verdict, Unknown)
    assert "JSON inside a string" in verdict.why


def test_a_schema_that_cannot_be_used_is_an_error() -> None:
    with pytest.raises(SchemaError):
        compare(int, {"$ref": "#/nowhere"})


def nested(levels: int) -> Any:
    schema: Any = INT
    for _ in range(levels):
        schema = obj(["a"], a=schema)
    return schema


BOMBS = {
    "every option of every level": {
        "anyOf": [obj(**{f"p{i}": {"anyOf": [INT, STR, {"type": "null"}]}}) for i in range(60)]
    },
    "one of many": {"oneOf": [obj([f"p{i}"], **{f"p{i}": INT}) for i in range(60)]},
    "all of any of": {"allOf": [{"anyOf": [obj([f"p{i}"]), obj([f"q{i}"])]} for i in range(40)]},
    "not any of all of": {
        "not": {"anyOf": [{"allOf": [obj([f"p{i}"]), {"not": obj([f"q{i}"])}]} for i in range(40)]}
    },
    "fan out": {
        "$defs": {
            f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"$ref": f"#/$defs/d{i + 1}"}]}
            for i in range(9)
        }
        | {"d9": INT},
        "$ref": "#/$defs/d0",
    },
    "mutual recursion": {
        "$defs": {f"d{i}": obj(**{f"p{j}": {"$ref": f"#/$defs/d{j}"} for j in range(8)}) for i in range(8)},
        "$ref": "#/$defs/d0",
    },
    "deep": nested(60),
    "patterns": {"patternProperties": {f"(a+)+{i}$": INT for i in range(12)}, "additionalProperties": False},
    "a long enum": {"enum": [f"v{i}" for i in range(3_000)]},
    "unevaluated beside many": {
        "anyOf": [obj(**{f"p{i}": INT}) for i in range(12)],
        "unevaluatedProperties": False,
    },
    "a million items": {"type": "array", "minItems": 1_000_000, "items": STR},
    "a long string": {"type": "string", "minLength": 100_000_000},
    "a number without end": {"type": "integer", "minimum": 10**400, "maximum": 10**401},
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("tp", [Hour, Tree, dict[str, int], Union[Cat, Dog], int])
def test_no_schema_outlives_the_budget(bomb: str, tp: Any) -> None:
    try:
        schema = parse_schema(BOMBS[bomb])
    except Exception as error:
        pytest.fail(f"not admitted, so it shows nothing: {error}")
    assert work_units(lambda: compare(tp, schema)) < 300, "two verdicts of a quarter of a second"


def test_a_pattern_of_the_type_is_never_given_a_text_that_python_could_not_finish() -> None:
    tp = Annotated[str, Meta(pattern="^(a+)+b")]
    found: list[Comparison] = []
    assert work_units(lambda: found.append(compare(tp, {"type": "string", "minLength": 60}))) < 300
    assert isinstance(found[0].accepts, Unknown)


def test_two_hundred_drawn_hostile_pairs_are_bound_within_the_budget() -> None:
    """Everything that binding and the first result ask of the prover, at one second and a half in all by default."""
    types: tuple[Any, ...] = (
        Hour,
        Tree,
        dict[str, int],
        Union[Cat, Dog],
        list[Hour],
        Optional[int],
        Annotated[str, Meta(pattern="^(a+)+b")],
    )
    unit, longest = work_seconds(), 0.0
    for number in range(200):
        schema, _ = hostile_draw.drawn(number)
        entry = {"name": "f", "outputSchema": schema}
        tool: Any = TypedTool("f", None, types[number % len(types)])
        began = time.thread_time()
        with (
            warnings.catch_warnings(),
            contextlib.suppress(SchemaError, Incompatible, BudgetExceeded),
        ):
            warnings.simplefilter("ignore")
            tool.against(entry).read({"content": [], "structuredContent": {"result": 1}})
        longest = max(longest, time.thread_time() - began)
    assert longest < 600 * max(unit, work_seconds())


def test_a_budget_that_runs_out_is_unknown_and_says_so() -> None:
    found = compare(Union[Cat, Dog], BOMBS["all of any of"], budget=Budget(seconds=0.0))
    assert isinstance(found.accepts, Unknown)


DIALECTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft4": "http://json-schema.org/draft-04/schema#",
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_verdict_about_two_schemas_of_the_suite_is_contradicted_by_its_instances(
    dialect: str, shared: Any
) -> None:
    """Each schema within itself, true, false and its neighbours in the file: the suite says which instances are valid."""
    decided = 0
    for path in sorted((shared / "jsonschema-suite" / dialect).glob("*.json")):
        groups = [
            ({"schema": True, "tests": []}, parse_schema(True)),
            ({"schema": False, "tests": []}, parse_schema(False)),
        ]
        for group in json.loads(path.read_text()):
            schema = group["schema"]
            try:
                groups.append(
                    (
                        group,
                        parse_schema(
                            {"$schema": DIALECTS[dialect], **schema} if isinstance(schema, dict) else schema
                        ),
                    )
                )
            except SchemaError:
                continue  # refers to documents that are not supplied
        for i, (group, inner) in enumerate(groups):
            for other, outer in (*groups[:2], *groups[max(2, i - 6) : i + 7]):
                found = Questions(Budget()).ask(
                    ((SchemaForms(inner).of(), True), (SchemaForms(outer).of(), False))
                )
                decided += found.empty or found.sure
                if found.sure:
                    assert inner.is_valid(found.value), (path.name, group, other)
                    assert not outer.is_valid(found.value), (path.name, group, other)
                for case in group["tests"]:
                    same = next(
                        (c for c in other["tests"] if json.dumps(c["data"]) == json.dumps(case["data"])), None
                    )
                    valid = outer.is_valid(case["data"]) if same is None else same["valid"]
                    assert not (found.empty and case["valid"] and not valid), (path.name, group, other, case)
    assert decided > 500
