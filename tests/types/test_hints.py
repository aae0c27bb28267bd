"""Type hints before they are read: aliases, arguments, names."""

from __future__ import annotations

import datetime
import typing
from typing import Annotated, Any, ForwardRef, Generic, Literal, Optional, TypeVar, Union

import pytest
import typing_extensions
from msgspec import Meta
from typing_extensions import TypeAliasType

from type_samples import A, B, Box
from typedtool import OneOf
from typedtool.types.hints import (
    checked,
    is_one_of,
    substituted,
    type_arguments,
    type_name,
    unalias,
)

T = TypeVar("T")
U = TypeVar("U")
Ids = TypeAliasType("Ids", list[int])
Rows = TypeAliasType("Rows", list[T], type_params=(T,))
Number = typing.NewType("Number", int)
Deep = typing.NewType("Deep", Number)


class Base(Generic[T, U]):
    _name = "base"


class Swapped(Base[U, T], Generic[T, U]): ...


class Fixed(Swapped[int, str]): ...


class Unrelated: ...


@pytest.mark.parametrize(
    ("alias", "meant"),
    [
        (Ids, list[int]),
        (Rows[str], list[str]),
        (Number, int),
        (Deep, int),
        (typing.Final[int], int),
        (typing_extensions.Required[Ids], list[int]),
        (typing_extensions.NotRequired[int], int),
        (typing_extensions.ReadOnly[int], int),
        (typing.ClassVar[int], int),
        (list[Ids], list[Ids]),
        (A, A),
    ],
)
def test_an_alias_is_what_it_stands_for(alias: Any, meant: Any) -> None:
    assert unalias(alias) == meant


def test_an_alias_of_itself_is_an_error() -> None:
    loop: Any = TypeAliasType("loop", int)
    other: Any = typing.NewType("other", int)
    other.__supertype__ = other
    assert unalias(loop) is int
    with pytest.raises(TypeError, match="other is an alias of itself"):
        unalias(other)


@pytest.mark.parametrize(
    ("tp", "found"),
    [
        (T, int),
        (U, U),
        (list[T], list[int]),
        (Union[T, None], Union[int, None]),
        (dict[T, U], dict[int, U]),  # type: ignore[valid-type]
        (Box[T], Box[int]),
        (Box, Box),
        (list[str], list[str]),
    ],
)
def test_type_variables_are_replaced_by_what_they_stand_for(tp: Any, found: Any) -> None:
    assert substituted(tp, {T: int}) == found


@pytest.mark.parametrize(
    ("tp", "name"),
    [
        (None, "None"),
        (type(None), "None"),
        (int, "int"),
        (A | None, "A | None"),
        (Optional[A], "A | None"),
        (list[A | B], "list[A | B]"),
        (tuple[int, ...], "tuple[int, ...]"),
        (Annotated[int, Meta(ge=0)], "int"),
        (Literal["a", 1], "Literal['a', 1]"),
        (Literal["a", "b", "c", "d", "e", "f", "g"], "Literal['a', 'b', 'c', 'd', 'e', 'f']"),
        (Literal["x" * 100], f"Literal['{'x' * 39}]"),
        (OneOf[A, None, list[int]], "OneOf[A, None, list[int]]"),
        (OneOf, "OneOf"),
        (Any, "Any"),
        (Box[int], "Box[int]"),
        (ForwardRef("A"), "ForwardRef('A')"),
        ("A" * 300, "A" * 200),
        (dict[str, tuple[(A,) * 100]], "dict[str, tuple[A" + ", A" * 61),
    ],
)
def test_a_type_is_named_as_its_author_would_write_it(tp: Any, name: str) -> None:
    assert type_name(tp)[:200] == name[:200]
    assert len(type_name(tp)) <= 200


def test_a_class_made_in_a_function_goes_by_its_own_name() -> None:
    class Local: ...

    assert type_name(Local) == "Local"


def test_only_a_one_of_with_members_is_one() -> None:
    assert is_one_of(OneOf[A, B])
    assert is_one_of(OneOf[int])
    assert not any(map(is_one_of, (OneOf, A, A | B, list[int], None, "OneOf")))
    assert isinstance("anything", OneOf[A, B])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("instance", "arguments"),
    [
        (Base[int, str](), (int, str)),
        (Swapped[int, str](), (str, int)),
        (Fixed(), (str, int)),
        (Base[Any, None](), (Any, type(None))),
    ],
)
def test_a_generic_class_knows_its_arguments_through_its_subclasses(
    instance: Any, arguments: tuple[Any, ...]
) -> None:
    assert type_arguments(instance, Base) == arguments


def test_a_generic_class_without_arguments_says_how_they_are_given() -> None:
    with pytest.raises(TypeError, match=r"has no types: write Base\[Input, Output\]\('base'\)"):
        type_arguments(Base(), Base)


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ((T, int), r"the input type T holds the type variable ~T: write the type itself"),
        ((int, list[T]), r"the output type list\[T\] holds the type variable ~T"),
        ((None, "A"), r"the output type A holds the string 'A'"),
        ((None, list["A"]), r"holds the string 'A'"),  # type: ignore[list-item]
        ((Optional[ForwardRef("A")], int), r"the input type .* holds the string ForwardRef\('A'"),
        ((None, Annotated[list[T], "T"]), r"holds the type variable ~T"),
    ],
)
def test_what_only_a_checker_could_resolve_is_an_error(types: tuple[Any, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        checked("tool", types)


def test_types_that_are_written_out_are_taken_and_no_input_is_none() -> None:
    assert checked("tool", (Ids, Ids)) == (list[int], Ids)
    assert checked("tool", (None, Literal["T"])) == (None, Literal["T"])
    assert checked("tool", (type(None), Annotated[int, "text"])) == (None, Annotated[int, "text"])
    assert checked("tool", (A, datetime.date)) == (A, datetime.date)
