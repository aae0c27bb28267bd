"""One walk over JSON values: extent, soundness, problems, copies, all of it bounded."""

from __future__ import annotations

import json
from collections import OrderedDict, namedtuple
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from typedtool import Budget, BudgetExceeded
from typedtool.values.walking import (
    NotJsonValue,
    copied,
    fewer_than,
    has_huge_integers,
    is_json,
    json_problems,
    levels,
    measured,
    parts,
)

SURROGATE = "\ud83d"
HUGE = 1 << 14_000
Pair = namedtuple("Pair", "a b")
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=20,
)
# Each with the path of its problem and the words for it.
NOT_JSON: list[tuple[Any, str, str, str]] = [
    (float("nan"), "$", "a finite number", "NaN"),
    ([1.5, float("inf")], "$[1]", "a finite number", "Infinity"),
    ((1.5, float("-inf")), "$[1]", "a finite number", "Infinity"),
    ({"a b": SURROGATE}, '$["a b"]', "Unicode text", "a lone surrogate"),
    ({"a": {"é" + SURROGATE: 1}}, "$.a", "a property name of Unicode text", "a lone surrogate"),
    ({"a": {1: 2}}, "$.a", "a property name that is a string", "integer"),
    (OrderedDict({1: 2}), "$", "a property name that is a string", "integer"),
    ([b"x"], "$[0]", "a JSON value", "a Python bytes"),
    ({"a": {1}}, "$.a", "a JSON value", "a Python set"),
    (object(), "$", "a JSON value", "a Python object"),
    ([HUGE], "$[0]", "an integer of at most 14,000 bits", "integer of 14,001 bits"),
    (-HUGE, "$", "an integer of at most 14,000 bits", "integer of 14,001 bits"),
]


class Text(str):
    """A class of text, as an enum's members are."""


def nesting(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(nesting, inner), default=0)


def everything_in(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(part for held in inner for part in everything_in(held))]


def texts_in(value: Any) -> list[str]:
    found = everything_in(value)
    return [x for x in found if isinstance(x, str)] + [k for x in found if isinstance(x, dict) for k in x]


# --- the walk -------------------------------------------------------------------------------------------------------


@given(VALUES)
def test_every_part_of_a_value_is_walked_once(value: Any) -> None:
    key = repr
    assert sorted(map(key, parts(value))) == sorted(map(key, everything_in(value)))


def test_the_levels_come_from_the_value_down_with_their_classes() -> None:
    value = {"a": [1, "x"], "b": ()}
    assert list(levels(value, Budget())) == [
        ([value], {dict}),
        ([[1, "x"], ()], {list, tuple}),
        ([1, "x"], {int, str}),
    ]


@pytest.mark.parametrize(
    "look",
    [
        is_json,
        json_problems,
        measured,
        has_huge_integers,
        lambda value, budget: fewer_than(value, 10**9, budget),
        lambda value, budget: list(levels(value, budget)),
    ],
)
def test_every_look_at_a_value_is_bounded(look: Any) -> None:
    for value in ([[[1]]], ({"a": ()},), [OrderedDict(a=[])]):
        look(value, Budget(depth=3))
        with pytest.raises(BudgetExceeded) as caught:
            look(value, Budget(depth=2))
        assert (caught.value.what, caught.value.limit) == ("depth", 2)
    look([1] * 49, Budget(nodes=50))
    for value in ([1] * 50, {str(i): 1 for i in range(50)}, [[1] * 24] * 2):
        with pytest.raises(BudgetExceeded) as caught:
            look(value, Budget(nodes=50))
        assert (caught.value.what, caught.value.limit) == ("nodes", 50)
    shared: Any = 1
    for _ in range(60):
        shared = [shared, shared]
    with pytest.raises(BudgetExceeded):
        look(shared, Budget())
    round_and_round: list[Any] = []
    round_and_round.append(round_and_round)
    with pytest.raises(BudgetExceeded):
        look(round_and_round, Budget())


def test_a_problem_is_looked_for_within_the_budget() -> None:
    nan = float("nan")
    for value, budget in (
        ([[[[1]]], nan], Budget(depth=2)),
        ([[1] * 60, nan], Budget(nodes=50)),
    ):
        with pytest.raises(BudgetExceeded):
            json_problems(value, budget)


# --- sizes ----------------------------------------------------------------------------------------------------------


@given(VALUES)
def test_the_extent_is_that_of_the_whole_value(value: Any) -> None:
    extent = measured(value, Budget())
    texts = texts_in(value)
    assert (extent.depth, extent.nodes) == (nesting(value), len(everything_in(value)))
    assert (extent.text, extent.longest) == (sum(map(len, texts)), max(map(len, texts), default=0))
    assert extent.sound and extent.plain and extent.figures == 0


def test_huge_integers_are_charged_by_the_square_of_their_bits() -> None:
    assert measured([1 << 255, -(1 << 255)], Budget()).figures == 0
    assert measured([1 << 256, -(1 << 300), "x"], Budget()).figures == 257**2 + 301**2
    assert [has_huge_integers(v, Budget()) for v in ({"a": [1 << 256]}, {"a": [-(1 << 256)]})] == [True, True]
    assert not has_huge_integers([(1 << 256) - 1, 1.0, "x", True], Budget())


def test_a_tuple_and_a_class_of_ones_own_are_arrays_and_objects_but_no_plain_ones() -> None:
    for value in ((1,), [OrderedDict(a=1)], {"a": Pair(1, 2)}):
        extent = measured(value, Budget())
        assert (extent.sound, extent.plain) == (True, False)
    assert measured([OrderedDict(ab=Text("cd"))], Budget()).text == 4
    assert measured(OrderedDict(a=[1]), Budget()).depth == 2


def test_all_text_together_is_held_to_the_budget_of_bytes() -> None:
    shared = "x" * 60
    assert measured([shared, {"y" * 40: 1}], Budget(bytes=100)).text == 100
    for value in ([shared] * 2, {"a": shared, "b" * 41: 1}):
        with pytest.raises(BudgetExceeded) as caught:
            measured(value, Budget(bytes=100))
        assert (caught.value.what, caught.value.limit) == ("bytes", 100)


@given(VALUES, st.integers(1, 30))
def test_values_are_counted_up_to_a_limit(value: Any, limit: int) -> None:
    assert fewer_than(value, limit, Budget()) == (len(everything_in(value)) < limit)


# --- what is not JSON -----------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(VALUES)
def test_what_json_can_carry_has_no_problem(value: Any) -> None:
    json.dumps(value).encode()
    assert is_json(value, Budget())
    assert json_problems(value, Budget()) == ()


def test_classes_of_ones_own_are_json_where_their_base_is() -> None:
    for value in (OrderedDict(a=1), Pair(1, 2), Text("x"), [Text("é")], HUGE - 1, 1 - HUGE):
        assert is_json(value, Budget())
    assert not is_json([Text(SURROGATE)], Budget())
    assert not is_json(OrderedDict({SURROGATE: 1}), Budget())


@pytest.mark.parametrize(("value", "path", "expected", "received"), NOT_JSON)
def test_what_no_json_text_can_carry_is_a_problem_with_its_path(
    value: Any, path: str, expected: str, received: str
) -> None:
    for within, prefix in ((value, "$"), ({"x": [1, value]}, "$.x[1]")):
        assert not is_json(within, Budget())
        assert not measured(within, Budget()).sound
        (problem,) = json_problems(within, Budget())
        assert problem.code == "json"
        assert problem.path == prefix + path[1:]
        assert (problem.expected, problem.received) == (expected, received)


def test_problems_come_in_the_order_of_the_value_up_to_a_bound() -> None:
    value = {"a": [float("nan"), b"", {SURROGATE: 1}], "b": float("inf"), "c": SURROGATE}
    assert [p.path for p in json_problems(value, Budget())] == ["$.a[0]", "$.a[1]", "$.a[2]", "$.b", "$.c"]
    assert [p.path for p in json_problems(value, Budget(problems=2))] == ["$.a[0]", "$.a[1]"]
    assert len(json_problems(dict.fromkeys(range(9), 1), Budget(problems=4))) == 4


def test_text_is_not_measured_once_a_value_is_not_json() -> None:
    assert not measured([{1: 2}, "x"], Budget()).sound


# --- a copy ---------------------------------------------------------------------------------------------------------


@given(VALUES)
def test_a_copy_is_equal_and_shares_nothing_that_can_change(value: Any) -> None:
    copy = copied(value, Budget(), 1_000)
    assert copy == value and repr(copy) == repr(value)
    ours = {id(part) for part in parts(value) if isinstance(part, (dict, list))}
    assert not any(id(part) in ours for part in parts(copy))


def test_tuples_and_classes_of_ones_own_are_copied_as_lists_and_dicts() -> None:
    copy = copied((OrderedDict(a=Pair(1, [2])),), Budget(), 10)
    assert copy == [{"a": [1, [2]]}]
    assert type(copy[0]) is dict and type(copy[0]["a"]) is list


@pytest.mark.parametrize(("value", "path", "expected", "received"), NOT_JSON)
def test_what_is_not_json_is_not_copied(value: Any, path: str, expected: str, received: str) -> None:
    with pytest.raises(NotJsonValue) as caught:
        copied({"x": [1, value]}, Budget(), 100)
    problem = caught.value.problem
    assert (problem.code, problem.path) == ("json", "$.x[1]" + path[1:])
    assert (problem.expected, problem.received) == (expected, received)


def test_a_copy_is_bounded_and_says_where_it_ended() -> None:
    for value, budget, nodes, what, pointer in (
        ({"a/b": [[1]]}, Budget(depth=2), 100, "depth", "/a~1b/0"),
        ({"a": [1, 2, 3]}, Budget(subschemas=7), 4, "subschemas", "/a"),
        ({"a": ["xx", "yy"]}, Budget(bytes=4), 100, "bytes", "/a"),
        ({"a": {"xx": "yy"}}, Budget(bytes=4), 100, "bytes", "/a"),
    ):
        with pytest.raises(BudgetExceeded) as caught:
            copied(value, budget, nodes)
        assert (caught.value.what, caught.value.pointer) == (what, pointer)
    assert copied({"a": [1, 2, 3]}, Budget(), 5) == {"a": [1, 2, 3]}
    assert copied({"a": [[1]]}, Budget(depth=3), 5) == {"a": [[1]]}
    assert copied({"a": ["xx", "yy"]}, Budget(bytes=5), 5) == {"a": ["xx", "yy"]}
