"""The words of a problem."""

from __future__ import annotations

from typing import Any

import pytest

from typedtool.values.wording import counted, limit, listed, sized


@pytest.mark.parametrize(
    ("keyword", "bound", "words"),
    [
        ("minimum", 0.5, "at least 0.5"),
        ("maximum", 10**40, "at most 100000000000 ... 000000000000"),
        ("exclusiveMinimum", 1, "more than 1"),
        ("exclusiveMaximum", -1, "less than -1"),
        ("multipleOf", 3, "a multiple of 3"),
        ("minLength", 1, "at least 1 character"),
        ("maxLength", 1_000, "at most 1,000 characters"),
        ("minItems", 2, "at least 2 items"),
        ("minItems", 1.0, "at least 1 item"),
        ("maxItems", 1e3, "at most 1,000 items"),
        ("maxItems", 0, "at most 0 items"),
        ("minProperties", 1, "at least 1 property"),
        ("maxProperties", 2, "at most 2 properties"),
        ("pattern", "^a\x1b", r"a string that matches '^a\x1b'"),
    ],
)
def test_a_bound_says_what_it_expects(keyword: str, bound: Any, words: str) -> None:
    assert limit(keyword, bound) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "string of 0 characters"),
        (("a",), "array of 1 item"),
        ({"a": 1, "b": 2}, "object of 2 properties"),
        (2**64 - 1, "integer"),
        (-(2**64), "integer of 65 bits"),
        (10**400, "integer of 1,329 bits"),
        (1.5, "number"),
        (True, "boolean"),
        (None, "null"),
        (object(), "a Python object"),
    ],
)
def test_a_value_is_named_by_its_kind_and_size(value: object, words: str) -> None:
    assert sized(value) == words


def test_few_values_are_listed_as_json_and_many_are_counted() -> None:
    assert listed(["a", None, True, 1.5]) == '"a" or null or true or 1.5'
    assert listed(range(8)) == "0 or 1 or 2 or 3 or 4 or 5 or 2 others"
    assert listed(["x" * 100]) == f'"{"x" * 16} ... {"x" * 16}"'
    assert listed(["\x1b‮"]) == r'"\u001b\u202e"'
    assert listed([b"x"]) == "\"b'x'\""
    assert counted(1, "bit") == "1 bit"
