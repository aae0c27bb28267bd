"""Errors and outcomes: bounded words, fields first, and they pickle."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from msgspec import UNSET, Struct

from typedtool import (
    BudgetExceeded,
    Incompatible,
    InputRequired,
    InputRequiredError,
    InvalidArguments,
    InvalidSchema,
    Mismatch,
    MismatchError,
    Problem,
    SchemaChanged,
    SchemaError,
    ToolFailed,
    ToolFailedError,
    ToolNotFound,
    ToolResult,
    TypedToolError,
    UnsafeSchema,
    UnsupportedDialect,
)
from typedtool.errors import brief, cut, kind_of, named, sentence

LONG = "x" * 100_000
PROBLEM = Problem("type", "$.a", "integer", "string")
RESULT = ToolResult(({"type": "text", "text": LONG},), {"a": LONG}, {}, False, {"content": LONG})

ERRORS: list[TypedToolError] = [
    ToolFailedError(ToolFailed(RESULT, LONG, -32602, tool=LONG)),
    MismatchError(Mismatch("mismatch", (PROBLEM,) * 50, RESULT, value={"a": LONG}, tool="t")),
    SchemaChanged(Mismatch("mismatch", (PROBLEM,), RESULT, changed=LONG, tool="t")),
    InputRequiredError(InputRequired(RESULT, {LONG: 1}, LONG, "t")),
    InvalidArguments("t", (PROBLEM,) * 50),
    InvalidSchema(LONG, "type", "/a" * 5_000, LONG, "write it otherwise"),
    UnsupportedDialect("an unknown dialect", "$schema", "", "t"),
    UnsafeSchema("a loop", "$ref", "/a", "t"),
    BudgetExceeded("depth", 128, "t", "/a"),
    Incompatible("t", (PROBLEM,), {"a": LONG}),
    ToolNotFound(LONG, (LONG, LONG)),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
def test_an_error_is_bounded_one_line_of_words_and_pickles(error: TypedToolError) -> None:
    assert 10 < len(str(error)) <= 2_000
    assert len(repr(error)) <= 2_000
    assert not str(error).endswith(".")
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is type(error)
    assert str(copied) == str(error)
    assert vars(copied) == vars(error)


def test_every_error_is_tested_here() -> None:
    def family(cls: type) -> set[type]:
        return {cls}.union(*map(family, cls.__subclasses__()))

    ours = {
        cls
        for cls in family(TypedToolError)
        if cls.__module__ in ("typedtool.errors", "typedtool.results.outcomes") and cls.__name__[0] != "_"
    }
    assert ours == {type(e) for e in ERRORS} | {TypedToolError, SchemaError}


def test_the_family_is_as_documented() -> None:
    for cls in (InvalidSchema, UnsupportedDialect, UnsafeSchema):
        assert issubclass(cls, SchemaError)
    assert not issubclass(BudgetExceeded, SchemaError)


def test_an_error_keeps_the_raw_result() -> None:
    for error in ERRORS[:4]:
        assert error.result is RESULT  # type: ignore[attr-defined]


def test_only_the_first_problems_are_in_the_sentence() -> None:
    assert sentence((PROBLEM,) * 7).endswith("; and 2 more")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.0, "number"),
        ("", "string"),
        ([], "array"),
        ((), "array"),
        ({}, "object"),
        (UNSET, "nothing"),
        (object(), "a Python object"),
    ],
    ids=repr,
)
def test_kinds_have_the_names_of_json_schema(value: Any, kind: str) -> None:
    assert kind_of(value) == kind


def test_brief_runs_no_foreign_code_and_follows_no_depth() -> None:
    class Loud:
        def __repr__(self) -> str:
            raise AssertionError("asked")

    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    assert brief(Loud()) == "<Loud>"
    assert len(brief(deep)) < 100
    assert brief(10**10_000) == "<int of 33220 bits>"
    assert len(brief({LONG: LONG}, 60)) <= 60
    while deep:
        deep = deep.pop()


def test_brief_shows_structs_by_their_fields() -> None:
    class Point(Struct):
        x: int
        y: list[int]

    assert brief([Point(1, [2])]) == "[Point(x=1, y=[2])]"


def test_names_of_servers_are_quoted_and_cut() -> None:
    assert named("a\x1b[31m\n") == "'a\\x1b[31m\\n'"
    assert len(named(LONG)) < 100
    assert cut("abc", 10) == "abc"
    assert len(cut(LONG, 50)) <= 50


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            InvalidArguments("t", (PROBLEM,)),
            "the arguments for tool 't' do not fit its inputSchema: expected integer, received string at $.a",
        ),
        (SchemaError("a loop"), "a loop"),
        (SchemaError("a loop", "$ref"), "a loop at #"),
        (SchemaError("a loop", "$ref", "/a", "t", "cut it"), "schema of tool 't': a loop at #/a (cut it)"),
        (
            BudgetExceeded("depth", 128),
            "more than the budget allows: depth is limited to 128 (raise it with Budget(depth=...))",
        ),
        (
            BudgetExceeded("seconds", 0.5, "t", "/a"),
            "tool 't': more than the budget allows: seconds is limited to 0.5 at #/a"
            " (raise it with Budget(seconds=...))",
        ),
        (
            Incompatible("t", (PROBLEM,), None),
            "the outputSchema of tool 't' and its type never fit: expected integer, received string at $.a,"
            " for example None",
        ),
        (
            Incompatible("t", (PROBLEM,), side="input", partly=True),
            "the inputSchema of tool 't' and its type do not fit for every value:"
            " expected integer, received string at $.a",
        ),
        (ToolNotFound("t"), "the server lists no tool 't'"),
        (ToolNotFound("t", tuple("abcd")), "the server lists no tool 't': did you mean 'a' or 'b' or 'c'?"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_an_error_is_one_sentence_with_the_way_out(error: TypedToolError, words: str) -> None:
    assert str(error) == error.message == words
    assert repr(error) == f"{type(error).__name__}({words!r})"


def test_any_error_of_ours_says_its_arguments() -> None:
    assert str(TypedToolError("no", {"a": 1}, 5)) == "no {'a': 1} 5"


def test_what_is_over_the_budget_is_a_problem_of_the_whole_value() -> None:
    problem = BudgetExceeded("seconds", 0.5).problem
    assert problem == Problem("over_budget", "$", "at most 0.5 seconds", "more")


def test_a_problem_is_one_bounded_sentence() -> None:
    assert str(PROBLEM) == "expected integer, received string at $.a"
    assert len(str(Problem("type", LONG, LONG, LONG))) <= 400
    assert sentence((PROBLEM,) * 5) == "; ".join([str(PROBLEM)] * 5)
    assert sentence((PROBLEM,) * 6) == "; ".join([str(PROBLEM)] * 5) + "; and 1 more"
    assert sentence(()) == ""


def test_a_long_text_is_cut_in_its_middle() -> None:
    assert cut("0123456789", 10) == "0123456789"
    assert cut("0123456789a", 10) == "01 ... 9a"
    assert cut("0123456789ab", 11) == "012 ... 9ab"
    assert len(cut(LONG)) <= 2_000


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None"),
        (UNSET, "UNSET"),
        (1.5, "1.5"),
        (2**254, str(2**254)),
        (2**255, "<int of 256 bits>"),
        ("x" * 33, repr("x" * 33)),
        ("x" * 34, f"'{'x' * 33}...' (34 chars)"),
        (b"x" * 34, f"b'{'x' * 33}...' (34 chars)"),
        ([1, 2, 3, 4, 5], "[1, 2, 3, 4, 5]"),
        ([1, 2, 3, 4, 5, 6, 7], "[1, 2, 3, 4, 5, ... 2 more]"),
        ((1, {2}), "[1, [2]]"),
        ({"a": {"b": {"c": {"d": 1}}}}, "{'a': {'b': {'c': <dict of 1>}}}"),
        ([[[[1]]]], "[[[<list of 1>]]]"),
        ({(1, 2): 1}, "{<tuple of 2>: 1}"),
        (dict.fromkeys("abcdefg", 1), "{'a': 1, 'b': 1, 'c': 1, 'd': 1, 'e': 1, ... 2 more}"),
        (object(), "<object>"),
    ],
)
def test_a_brief_value_is_python_with_its_rest_counted(value: Any, words: str) -> None:
    assert brief(value) == words
