"""Integral floats become integers where an integer is wanted, and nowhere else."""

from __future__ import annotations

import enum
from typing import Any, Literal, NamedTuple

import pytest
from msgspec import Struct
from typing_extensions import TypedDict

from type_samples import A, Cat, Data, Dictionary, Dog, Row
from typedtool import Budget
from typedtool.types.conversion import Converter
from typedtool.types.integers import integral, with_integers
from typedtool.types.reading import shape_of


class Level(enum.Enum):
    LOW = 1


class Tagged(Struct, array_like=True, tag="t"):
    id: int
    weight: float


class Pair(NamedTuple):
    a: int
    b: float = 0


class Counts(TypedDict, total=False):
    n: int


CHANGED: list[tuple[Any, Any, Any]] = [
    (int, 2.0, 2),
    (int, -0.0, 0),
    (int | None, 2.0, 2),
    (int | str, 2.0, 2),
    (Literal[1, 2], 2.0, 2),
    (Level, 1.0, 1),
    (list[int], [1, 2.0], [1, 2]),
    (set[int], [2.0], [2]),
    (tuple[int, float], [1.0, 2.0], [1, 2.0]),
    (tuple[int, int], [1.0, 2.0, 3.0], [1, 2, 3.0]),
    (dict[str, int], {"a": 1.0, "b": 2}, {"a": 1, "b": 2}),
    (dict[str, list[int]], {"a": [1.0]}, {"a": [1]}),
    (A, {"x": 1.0, "z": 1.0}, {"x": 1, "z": 1.0}),
    (list[A], [{"x": 1.0}], [{"x": 1}]),
    (Data, {"b": 2.0}, {"b": 2}),
    (Dictionary, {"a": {"x": 1.0}, "b": 2.0}, {"a": {"x": 1}, "b": 2}),
    (Row, [1.0, "a"], [1, "a"]),
    (Row, [1.0, "a", 3.0], [1, "a", 3.0]),
    (Tagged, ["t", 1.0, 2.0], ["t", 1, 2.0]),
    (Pair, [1.0], [1]),
    (list[Cat | Dog], [{"type": "cat", "lives": 9.0}], [{"type": "cat", "lives": 9}]),
    (A | list[int], [1.0], [1]),
]
SAME: list[tuple[Any, Any]] = [
    (int, 1.5),
    (int, float("inf")),
    (float, 2.0),
    (int | float, 2.0),
    (str, 2.0),
    (bool, 1.0),
    (Literal["a"], 1.0),
    (Any, [1.0]),
    (list[float], [1.0]),
    (list[int], [1, 2]),
    (list[int], {"a": 1.0}),
    (dict[str, float], {"a": 1.0}),
    (dict[str, int], [1.0]),
    (A, {"y": 1.0}),
    (A, [1.0]),
    (Row, {"id": 1.0}),
    (tuple[int], [1]),
    (Cat, {"type": "dog", "lives": 1.0}),
    (list[int], "1.0"),
    (None, 1.0),
]


@pytest.mark.parametrize(("tp", "value", "changed"), CHANGED)
def test_an_integral_float_is_an_integer_where_the_type_wants_one(tp: Any, value: Any, changed: Any) -> None:
    before = repr(value)
    found = with_integers(shape_of(tp), value)
    assert repr(found) == repr(changed)
    assert repr(value) == before


@pytest.mark.parametrize(("tp", "value"), SAME)
def test_what_needs_no_change_is_the_same_object(tp: Any, value: Any) -> None:
    assert with_integers(shape_of(tp), value) is value


def test_a_tag_that_is_left_out_counts_as_the_right_one() -> None:
    assert with_integers(shape_of(Cat), {"lives": 1.0}) == {"lives": 1}
    assert Converter(Cat).convert({"lives": 1.0}, Budget()) == Cat(1)


@pytest.mark.parametrize(
    ("value", "changed"),
    [
        (1.0, 1),
        ([1.0, 1.5], [1, 1.5]),
        ({"a": [{"b": 2.0}]}, {"a": [{"b": 2}]}),
        ({"a": 1, "b": 2.0}, {"a": 1, "b": 2}),
    ],
)
def test_every_integral_float_becomes_an_integer_for_a_class_that_is_not_known_inside(
    value: Any, changed: Any
) -> None:
    assert repr(integral(value)) == repr(changed)


@pytest.mark.parametrize("value", [1.5, 1, "1.0", [1, 1.5], {"a": [1.5]}, None, True, float("nan")])
def test_a_value_without_integral_floats_is_the_same_object(value: Any) -> None:
    assert integral(value) is value
