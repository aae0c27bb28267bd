"""Types that msgspec refuses, lowered to types that it decodes."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Optional, Union

import pytest
from msgspec import Meta, Struct
from typing_extensions import TypedDict

from type_samples import A, Cat, Dog
from typedtool import Budget, BudgetExceeded, Mismatch, Ok, OneOf
from typedtool.decoding.decoder import Decoder
from typedtool.types import lowering
from typedtool.types.conversion import Converter, NotFit
from typedtool.types.lowering import is_native, lower
from typedtool.types.reading import shape_of
from typedtool.types.shapes import UnionShape


def test_an_untagged_union_never_costs_more_than_its_budget() -> None:
    class Node(Struct):
        kids: list[Node | Leaf | Twig] = []

    class Twig(Struct):
        kids: list[Node | Leaf | Twig]
        twig: int

    class Leaf(Struct):
        kids: list[Node | Leaf | Twig]
        leaf: int

    scope = {"Node": Node, "Leaf": Leaf, "Twig": Twig}
    for cls in scope.values():
        cls.__annotations__ = {
            k: eval(v, {**globals(), **scope}) if isinstance(v, str) else v
            for k, v in cls.__annotations__.items()
        }
    value: Any = {"kids": []}
    for _ in range(60):
        value = {"kids": [value, value]}
    outcome = Decoder(Node | Leaf).read({"content": [], "structuredContent": value})
    assert isinstance(outcome, (Ok, Mismatch))


class Left(Struct):
    x: int


class Right(Struct):
    x: int
    y: int = 0


class Holder(Struct, rename="camel", forbid_unknown_fields=True, tag="holder"):
    the_part: Left | Right
    also: int = 5


class Line(Struct, array_like=True, tag="line"):
    part: Left | Right
    also: int = 5


class Chain(Struct):
    part: Left | Right
    next: Chain | None = None


@dataclasses.dataclass
class Plain:
    part: Left | Right
    also: list[int] = dataclasses.field(default_factory=list)


class Typed(TypedDict, total=False):
    part: Left | Right
    also: int


@pytest.mark.parametrize(
    ("tp", "value", "made"),
    [
        (Holder, {"thePart": {"x": 1, "y": 2}}, Holder(Right(1, 2))),
        (Holder, {"type": "holder", "thePart": {"x": 1}, "also": 2}, Holder(Left(1), 2)),
        (Line, ["line", {"x": 1, "y": 2}], Line(Right(1, 2))),
        (Line, ["line", {"x": 1}, 2], Line(Left(1), 2)),
        (
            Chain,
            {"part": {"x": 1}, "next": {"part": {"x": 1, "y": 2}, "next": None}},
            Chain(Left(1), Chain(Right(1, 2))),
        ),
        (Plain, {"part": {"x": 1}}, Plain(Left(1), [])),
        (Typed, {"part": {"x": 1}}, {"part": Left(1)}),
        (Typed, {}, {}),
        (list[Left | Right], [{"x": 1}, {"x": 1, "y": 2}], [Left(1), Right(1, 2)]),
        (set[OneOf[int, str]], [1, "a"], {1, "a"}),
        (tuple[Left | Right, ...], [{"x": 1}], (Left(1),)),
        (tuple[Left | Right, int], [{"x": 1}, 5], (Left(1), 5)),
        (dict[str, Left | Right], {"a": {"x": 1}}, {"a": Left(1)}),
        (Annotated[list[Left | Right], Meta(max_length=1)], [{"x": 1}], [Left(1)]),
        (Optional[Union[Left, Right]], None, None),
        (Union[list[Union[Left, Right]], None], None, None),
        (Union[list[Union[Left, Right]], int], 5, 5),
        (OneOf[Left, Right, None], {"x": 1, "y": 2}, Right(1, 2)),
        (Union[OneOf[Left, Right], int], 5, 5),
        (Union[OneOf[Left, Right], int], {"x": 1, "y": 2}, Right(1, 2)),
        (list[OneOf[Left, Right, list[int]]], [[1.0], {"x": 1.0}], [[1], Left(1)]),
        (OneOf[float, int, bool], True, True),
        (OneOf[float, int], 1.5, 1.5),
        (OneOf[Left, dict[str, int], Any], {"a": "b"}, {"a": "b"}),
        (OneOf[Right, Left], {"x": 1}, Right(1)),
        (OneOf[dict[int, int], list[int]], {"1": 2}, {1: 2}),
    ],
)
def test_a_union_that_msgspec_refuses_decodes_wherever_it_stands(tp: Any, value: Any, made: Any) -> None:
    found = Converter(tp).convert(value, Budget())
    assert found == made
    assert repr(found) == repr(made)


@pytest.mark.parametrize(
    ("tp", "value"),
    [
        (Holder, {"thePart": {"x": 1}, "more": 1}),
        (Holder, {}),
        (Holder, {"type": "other", "thePart": {"x": 1}}),
        (Line, {"part": {"x": 1}}),
        (Line, ["other", {"x": 1}]),
        (Line, []),
        (Annotated[list[Left | Right], Meta(max_length=1)], [{"x": 1}, {"x": 2}]),
        (Annotated[dict[str, Left | Right], Meta(max_length=0)], {"a": {"x": 1}}),
        (tuple[Left | Right, int], [{"x": 1}]),
        (OneOf[Left, int], "a"),
        (OneOf[Left, int], 1.5),
        (OneOf[Left, Right], None),
        (OneOf[Left, Right], {"y": 1}),
    ],
)
def test_what_no_member_takes_does_not_fit(tp: Any, value: Any) -> None:
    with pytest.raises(NotFit):
        Converter(tp).convert(value, Budget())


def test_strings_are_numbers_for_members_only_where_they_may_be() -> None:
    assert Converter(OneOf[Left, list[int]], lax=True).convert(["5"], Budget()) == [5]
    with pytest.raises(NotFit):
        Converter(OneOf[Left, list[int]]).convert(["5"], Budget())


@pytest.mark.parametrize("tp", [int, list[A], A | None, Cat | Dog, dict[str, Cat | Dog], OneOf[Left, Right]])
def test_a_type_that_msgspec_takes_stays_as_it_is(tp: Any) -> None:
    assert lower(shape_of(tp)) is tp


@pytest.mark.parametrize(
    ("tp", "native"),
    [
        (Cat | Dog, True),
        (int | None, True),
        (Left | Right, False),
        (OneOf[Cat, Dog], False),
        (list[Left | Right] | None, False),
    ],
)
def test_a_union_is_native_where_msgspec_decodes_it_by_its_tags(tp: Any, native: bool) -> None:
    union = shape_of(tp)
    assert isinstance(union, UnionShape)
    assert is_native(union) is native


def test_attempts_at_the_members_of_unions_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowering, "_ATTEMPTS", 10)
    union = list[Left | Right]
    assert Converter(union).convert([{"x": 1}] * 5, Budget()) == [Left(1)] * 5
    same = {"x": "a"}
    with pytest.raises(NotFit):  # one value, however often it stands there, is tried once
        Converter(union).convert([same] * 1_000, Budget())
    with pytest.raises(BudgetExceeded) as caught:
        Converter(union).convert([{"x": i} for i in range(11)], Budget(nodes=77))
    assert (caught.value.what, caught.value.limit) == ("nodes", 77)
