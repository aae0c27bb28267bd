"""Guards: the kinds of JSON values, told apart."""

from __future__ import annotations

from collections import OrderedDict, UserDict
from typing import Any

import pytest

from typedtool import is_array, is_boolean, is_integer, is_null, is_number, is_object, is_string
from typedtool.values.guards import is_dict, is_items, is_list, is_mapping, is_tuple


def test_guards_tell_the_kinds_of_json_apart() -> None:
    guards = [is_object, is_array, is_string, is_number, is_integer, is_boolean, is_null]
    kinds = {
        "object": {},
        "array": [],
        "string": "",
        "number": 1.5,
        "integer": 1,
        "boolean": True,
        "null": None,
    }
    true_of = {name: {guard.__name__ for guard in guards if guard(value)} for name, value in kinds.items()}
    assert true_of == {name: {f"is_{name}"} for name in kinds} | {"integer": {"is_integer", "is_number"}}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_no_json_text_can_carry_is_no_number(value: float) -> None:
    assert not is_number(value)


def test_a_big_integer_is_a_number_and_a_boolean_is_none() -> None:
    assert is_number(10**400) and is_integer(10**400)
    assert not is_number(True) and not is_integer(True)


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ({}, {"is_dict", "is_mapping"}),
        (OrderedDict(), {"is_dict", "is_mapping"}),
        (UserDict(), {"is_mapping"}),
        ([], {"is_list", "is_items"}),
        ((), {"is_tuple", "is_items"}),
        ("ab", set()),
        (None, set()),
    ],
    ids=repr,
)
def test_guards_for_the_inside_tell_what_holds_values(value: Any, kinds: set[str]) -> None:
    guards = [is_dict, is_list, is_tuple, is_mapping, is_items]
    assert {guard.__name__ for guard in guards if guard(value)} == kinds
