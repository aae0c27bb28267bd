"""NaN and Infinity in Python values that stand for JSON are found after decoding, wherever a float may be."""

from __future__ import annotations

import dataclasses
import decimal
import math
from typing import Annotated, Any, Generic, NamedTuple, Optional, TypeVar

import pydantic
import pytest
from msgspec import Meta, Struct
from typing_extensions import TypedDict

from typedtool import Budget, Mismatch
from typedtool.decoding.decoder import Decoder
from typedtool.types.conversion import Converter, NotJsonValue
from typedtool.types.finite import finite_check
from typedtool.types.reading import shape_of

T = TypeVar("T")
NAN = float("nan")
INFINITY = math.inf


class Point(Struct):
    x: float
    name: str = ""
    tags: list[float] = []


class Track(Struct):
    points: list[Point]
    start: Point | None = None


class Tree(Struct):
    value: float
    kids: list[Tree] = []


class Row(Struct, array_like=True):
    id: int
    x: float | None = None


class Pair(NamedTuple):
    a: float
    b: float = 0.0


class Keyed(TypedDict, total=False):
    x: float
    y: int


@dataclasses.dataclass
class Data:
    x: float
    rows: list[float] = dataclasses.field(default_factory=list)


class Values(TypedDict, Generic[T]):
    value: T


class Model(pydantic.BaseModel):
    x: float


class Refusing(Struct):
    """Its own code raises as soon as its float is looked at."""

    x: float

    def __getattribute__(self, name: str) -> Any:
        if name == "x":
            raise RuntimeError("not now")
        return super().__getattribute__(name)


# A type, a value that fits, and the same value where the `Infinity` is not JSON.
SPOILED: list[tuple[Any, Any, Any, str]] = [
    (float, 1.5, NAN, "$"),
    (Optional[float], None, NAN, "$"),
    (Annotated[float, Meta(ge=0)], 1.5, INFINITY, "$"),
    (float | str, "x", NAN, "$"),
    (list[float], [1.5, 2], [1.5, NAN], "$[1]"),
    (list[float], [1e308, 1e308], [1e308, -INFINITY], "$[1]"),
    (list[float | str], ["a", 1.5], ["a", NAN], "$[1]"),
    (list[list[float]], [[1.5], []], [[], [NAN]], "$[1][0]"),
    (set[float], [1.5], [NAN], "$[0]"),
    (frozenset[float], [1.5], [INFINITY], "$[0]"),
    (tuple[float, ...], [1.5], [1.5, NAN], "$[1]"),
    (tuple[str, float], ["a", 1.5], ["a", NAN], "$[1]"),
    (tuple[float, str], [1.5, "a"], [NAN, "a"], "$[0]"),
    (list[tuple[str, float]], [["a", 1.5]], [["a", 1.5], ["b", NAN]], "$[1][1]"),
    (dict[str, float], {"a": 1.5}, {"a": 1.5, "b": NAN}, "$.b"),
    (dict[str, list[float]], {"a": [1.5]}, {"a": [NAN]}, "$.a[0]"),
    (list[dict[str, float]], [{"a": 1.5}], [{"a": NAN}], "$[0].a"),
    (Point, {"x": 1.5}, {"x": NAN}, "$.x"),
    (Point, {"x": 1.5, "tags": [1.5]}, {"x": 1.5, "tags": [NAN]}, "$.tags[0]"),
    (list[Point], [{"x": 1.5}, {"x": 2}], [{"x": 1.5}, {"x": NAN}], "$[1].x"),
    (list[Point], [{"x": 1e308}, {"x": 1e308}], [{"x": 1.5}, {"x": INFINITY}], "$[1].x"),
    (list[Point], [{"x": 1.5, "tags": [2.5]}], [{"x": 1.5, "tags": [NAN]}], "$[0].tags[0]"),
    (dict[str, Point], {"a": {"x": 1.5}}, {"a": {"x": NAN}}, "$.a.x"),
    (Track, {"points": [{"x": 1.5}]}, {"points": [{"x": NAN}]}, "$.points[0].x"),
    (Track, {"points": [], "start": {"x": 1.5}}, {"points": [], "start": {"x": NAN}}, "$.start.x"),
    (Point | list[float], [1.5], [NAN], "$[0]"),
    (Point | list[float], {"x": 1.5}, {"x": NAN}, "$.x"),
    (Point | dict[str, float] | float, {"y": 1.5}, {"y": NAN}, "$.y"),
    (Keyed | list[float], {"x": 1.5}, {"x": NAN}, "$.x"),
    (Tree, {"value": 1, "kids": [{"value": 2}]}, {"value": 1, "kids": [{"value": NAN}]}, "$.kids[0].value"),
    (list[Row], [[1, 1.5], [2]], [[1], [2, NAN]], "$[1][1]"),
    (Pair, [1.5], [1.5, NAN], "$[1]"),
    (list[Pair], [[1.5]], [[1.5], [NAN]], "$[1][0]"),
    (Keyed, {"y": 1}, {"y": 1, "x": NAN}, "$.x"),
    (list[Keyed], [{"x": 1.5}, {}], [{"x": 1.5}, {"x": NAN}], "$[1].x"),
    (Values[float], {"value": 1.5}, {"value": NAN}, "$.value"),
    (list[Values[float]], [{"value": 1.5}], [{"value": NAN}], "$[0].value"),
    (list[Data], [{"x": 1.5}], [{"x": 1.5}, {"x": 1.5, "rows": [NAN]}], "$[1].rows[0]"),
    (Model, {"x": 1.5}, {"x": NAN}, "$.x"),
    (list[Any], [1.5], [NAN], "$[0]"),
    (object, {"a": 1.5}, {"a": NAN}, "$.a"),
    (Refusing, {"x": 1.5}, {"x": NAN}, "$.x"),
    (list[Refusing], [{"x": 1.5}], [{"x": NAN}], "$[0].x"),
]


@pytest.mark.parametrize(
    ("out", "sound", "spoiled", "path"),
    SPOILED,
    ids=[f"{i}-{path}" for i, (_, _, _, path) in enumerate(SPOILED)],
)
def test_a_number_that_no_json_text_carries_is_refused_where_it_stands(
    out: Any, sound: Any, spoiled: Any, path: str
) -> None:
    converter = Converter(out)
    converter.convert(sound, Budget())
    with pytest.raises(NotJsonValue) as caught:
        converter.convert(spoiled, Budget())
    assert caught.value.problem.path == path
    assert caught.value.problem.code == "json"


UNSEEN = (
    Model,
    Tree,
    list[Any],
    object,
    Refusing,
    list[Refusing],
)  # what these hold is not looked into: the value is walked


@pytest.mark.parametrize(("out", "sound"), [(row[0], row[1]) for row in SPOILED if row[0] not in UNSEEN])
def test_the_check_after_decoding_sees_by_itself_that_a_value_is_sound(out: Any, sound: Any) -> None:
    """Else each sound value would be walked once more."""
    check = finite_check(shape_of(out))
    assert check is not None
    assert check(Converter(out).convert(sound, Budget()))


@pytest.mark.parametrize("out", [int, str, list[int], dict[str, str], Optional[bool], tuple[int, str], bytes])
def test_a_type_without_floats_is_not_looked_at_after_decoding(out: Any) -> None:
    assert finite_check(shape_of(out)) is None


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "sNaN"])
def test_a_decimal_that_is_no_number_is_refused_as_a_value_and_sound_in_a_string(number: str) -> None:
    value = decimal.Decimal(number)
    check = finite_check(shape_of(list[decimal.Decimal]))
    assert check is not None
    assert not check([value])
    assert check([decimal.Decimal("1.5")])


def test_a_float_that_overflows_only_as_a_sum_is_sound() -> None:
    check = finite_check(shape_of(list[float]))
    assert check is not None
    assert check([1.7e308, 1.7e308])
    rows = finite_check(shape_of(list[Point]))
    assert rows is not None
    assert rows([Point(1.7e308), Point(1.7e308)])
    assert not rows([Point(1.7e308), Point(INFINITY)])


def test_integers_beyond_a_double_beside_floats_are_sound() -> None:
    for out, sound in ((list[float | int], [10**400, 1.5]), (list[int | float], [1.5, 10**400])):
        assert Converter(out).convert(sound, Budget()) == sound
        with pytest.raises(NotJsonValue):
            Converter(out).convert([*sound, NAN], Budget())


def test_a_number_that_is_not_json_makes_the_result_malformed() -> None:
    for out, _, spoiled, path in SPOILED:
        outcome = Decoder(out).read({"content": [], "structuredContent": spoiled})
        assert isinstance(outcome, Mismatch)
        assert (outcome.reason, outcome.problems[0].path) == ("malformed", path), out
