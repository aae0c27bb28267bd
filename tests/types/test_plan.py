"""One plan for a type: kept, and never another type's."""

from __future__ import annotations

import threading
from typing import Annotated, Any, Literal, Optional, Union

import pytest
from msgspec import Meta, Struct

from typedtool import OneOf, decode
from typedtool.types import plan
from typedtool.types.plan import plan_of


class A(Struct):
    x: int = 0


class B(Struct):
    x: int = 0
    y: int = 0


@pytest.mark.parametrize(
    "same",
    [
        (int, int),
        (list[int], list[int]),
        (Optional[int], Union[int, None]),
        (int | None, Optional[int]),
        (OneOf[A, B], OneOf[A, B]),
        (list[OneOf[A, B]], list[OneOf[A, B]]),
        (Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]),
        (Literal["a", 1], Literal["a", 1]),
    ],
    ids=str,
)
def test_the_same_type_has_one_plan(same: Any) -> None:
    first, second = same
    assert plan_of(first) is plan_of(second)


@pytest.mark.parametrize(
    "different",
    [
        (OneOf[A, B], OneOf[B, A]),
        (Union[A, B], Union[B, A]),
        (A | B, B | A),
        (list[Union[A, B]], list[Union[B, A]]),
        (dict[str, A | B], dict[str, B | A]),
        (tuple[OneOf[A, B], int], tuple[OneOf[B, A], int]),
        (Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=1)]),
        (Literal[1], Literal[2]),
        (list[int], set[int]),
    ],
    ids=str,
)
def test_types_that_decode_otherwise_have_plans_of_their_own(different: Any) -> None:
    first, second = different
    assert plan_of(first) is not plan_of(second)
    assert plan_of(first) is plan_of(first)


def test_the_order_of_a_union_decides_whatever_was_decoded_before() -> None:
    result = {"content": [], "structuredContent": {"x": 1}}
    assert type(decode(result, OneOf[A, B])) is A
    assert type(decode(result, OneOf[B, A])) is B
    assert type(decode({"content": [], "structuredContent": [{"x": 1}]}, list[Union[A, B]])[0]) is A
    assert type(decode({"content": [], "structuredContent": [{"x": 1}]}, list[Union[B, A]])[0]) is B


def test_a_lax_plan_is_another_one() -> None:
    assert plan_of(list[int], lax=True) is not plan_of(list[int])
    assert plan_of(list[int], lax=True).converter.lax


def test_a_type_that_cannot_be_hashed_is_planned_each_time() -> None:
    tp: Any = Annotated[int, ["a list"]]
    assert plan_of(tp) is not plan_of(tp)
    assert decode({"content": [], "structuredContent": 3}, tp) == 3


def test_plans_are_kept_in_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_KEPT", 8)
    monkeypatch.setattr(plan, "_plans", plan._Plans())
    for number in range(50):
        plan_of(Literal[number])  # type: ignore[valid-type]
    assert len(plan._plans.kept) == 8
    assert len(plan._plans.objects) <= 8


def test_a_new_type_under_the_id_of_an_old_one_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = [list[int], list[str]]
    monkeypatch.setattr(plan, "id", lambda _: 7, raising=False)
    monkeypatch.setattr(plan, "_plans", plan._Plans())
    assert [plan_of(tp).type for tp in (*made, *made)] == [*made, *made]


def test_threads_that_plan_at_once_get_the_same_plan() -> None:
    found: list[Any] = []
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        found.append(plan_of(dict[str, list[B]]))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(map(id, found))) == 1


def test_what_cannot_be_decoded_has_no_plan_and_says_so_each_time() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="complex cannot be decoded from JSON"):
            plan_of(complex)
