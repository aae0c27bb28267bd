"""Type hints read into shapes."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import typing
from typing import Annotated, Any, ForwardRef, Generic, Literal, NamedTuple, TypeVar, Union

import attrs
import msgspec
import pytest
import typing_extensions
from msgspec import UNSET, Meta, Struct, UnsetType
from typing_extensions import TypedDict

from type_samples import A, B, Box, Cat, Data, Row
from typedtool import OneOf
from typedtool.types.reading import shape_of
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    CustomShape,
    EnumShape,
    FloatShape,
    FormatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullShape,
    ObjectShape,
    Shape,
    StrShape,
    TupleShape,
    UnionShape,
    UnsetShape,
)

T = TypeVar("T")
Bound = TypeVar("Bound", bound=int)


class Color(enum.Enum):
    RED = "red"
    ONE = 1


class Renamed(Struct, rename="camel", kw_only=True):
    first_name: str
    last: int = 5
    more: list[int] = msgspec.field(default_factory=list, name="MORE")


class Keyed(TypedDict, total=False):
    a: typing_extensions.Required[int]
    b: Annotated[typing_extensions.NotRequired[int], "text"]
    c: typing_extensions.ReadOnly[typing_extensions.Required[str]]
    d: str


class Strict(TypedDict):
    a: typing_extensions.NotRequired[int]
    b: int


class Named(NamedTuple):
    a: int
    b: str = ""


class Generics(TypedDict, Generic[T]):
    value: list[T]


@dataclasses.dataclass
class Fields:
    a: int
    b: int = 1
    c: list[int] = dataclasses.field(default_factory=list)
    d: int = dataclasses.field(init=False, default=0)


@attrs.define
class Attributes:
    a: int
    b: int = 1
    c: int = attrs.field(init=False, default=0)


class Node(Struct):
    next: Node | None = None


@pytest.mark.parametrize(
    ("tp", "kind"),
    [
        (Any, AnyShape),
        (typing_extensions.Any, AnyShape),
        (object, AnyShape),
        (msgspec.Raw, AnyShape),
        (T, AnyShape),
        (None, NullShape),
        (type(None), NullShape),
        (UnsetType, UnsetShape),
        (bool, BoolShape),
        (int, IntShape),
        (Bound, IntShape),
        (float, FloatShape),
        (str, StrShape),
        (Color, EnumShape),
        (Literal["a"], LiteralShape),
        (A, ObjectShape),
        (ipaddress.IPv4Address, CustomShape),
        (complex, CustomShape),
        *((cls, FormatShape) for cls in (
            datetime.datetime, datetime.date, datetime.time, datetime.timedelta, decimal.Decimal, bytes, bytearray,
        )),
    ],
)  # fmt: skip
def test_each_type_has_its_kind_of_node(tp: Any, kind: type[Shape]) -> None:
    assert type(shape_of(tp)) is kind


@pytest.mark.parametrize(
    ("tp", "cls", "item"),
    [
        (list, list, AnyShape),
        (list[int], list, IntShape),
        (collections.abc.Sequence[int], list, IntShape),
        (collections.abc.MutableSequence[int], list, IntShape),
        (collections.abc.Collection[int], list, IntShape),
        (set[int], set, IntShape),
        (collections.abc.Set[int], set, IntShape),
        (collections.abc.MutableSet[int], set, IntShape),
        (frozenset[int], frozenset, IntShape),
        (tuple, tuple, AnyShape),
        (tuple[int, ...], tuple, IntShape),
        (typing.List[int], list, IntShape),  # noqa: UP006
    ],
)
def test_collections_of_any_length_are_arrays(tp: Any, cls: type, item: type[Shape]) -> None:
    shape = shape_of(tp)
    assert isinstance(shape, ArrayShape)
    assert (shape.cls, type(shape.item)) == (cls, item)


@pytest.mark.parametrize(
    ("tp", "items"), [(tuple[()], []), (tuple[int], [IntShape]), (tuple[int, str], [IntShape, StrShape])]
)
def test_a_tuple_of_fixed_length_has_a_node_for_each_item(tp: Any, items: list[Any]) -> None:
    shape = shape_of(tp)
    assert isinstance(shape, TupleShape)
    assert list(map(type, shape.items)) == items


@pytest.mark.parametrize(
    ("tp", "key", "value"),
    [
        (dict, AnyShape, AnyShape),
        (dict[str, int], StrShape, IntShape),
        (collections.abc.Mapping[int, str], IntShape, StrShape),
        (collections.abc.MutableMapping[str, Any], StrShape, AnyShape),
    ],
)
def test_dicts_have_a_node_for_their_keys_and_one_for_their_values(tp: Any, key: Any, value: Any) -> None:
    shape = shape_of(tp)
    assert isinstance(shape, MapShape)
    assert (type(shape.key), type(shape.value)) == (key, value)


@pytest.mark.parametrize(
    ("tp", "fields"),
    [
        (A, [("x", "x", True)]),
        (B, [("x", "x", True), ("y", "y", False)]),
        (Renamed, [("firstName", "first_name", True), ("last", "last", False), ("MORE", "more", False)]),
        (Keyed, [("a", "a", True), ("b", "b", False), ("c", "c", True), ("d", "d", False)]),
        (Strict, [("a", "a", False), ("b", "b", True)]),
        (Named, [("a", "a", True), ("b", "b", False)]),
        (Fields, [("a", "a", True), ("b", "b", False), ("c", "c", False)]),
        (Attributes, [("a", "a", True), ("b", "b", False)]),
        (Data, [("a", "a", True), ("b", "b", False)]),
    ],
)
def test_an_object_has_its_fields_by_their_names_on_the_wire(tp: Any, fields: list[Any]) -> None:
    shape = shape_of(tp)
    assert isinstance(shape, ObjectShape)
    assert [(f.name, f.attribute, f.required) for f in shape.fields] == fields
    assert shape.cls is tp


def test_a_named_tuple_without_annotations_takes_anything() -> None:
    shape = shape_of(collections.namedtuple("Point", ["x", "y"]))
    assert isinstance(shape, ObjectShape)
    assert [type(f.shape) for f in shape.fields] == [AnyShape, AnyShape]


def test_a_default_is_known_where_it_is_a_value() -> None:
    shape = shape_of(Renamed)
    assert isinstance(shape, ObjectShape)
    assert [f.default for f in shape.fields] == [UNSET, 5, UNSET]


def test_a_struct_says_its_tag_and_whether_it_is_closed_or_an_array() -> None:
    class Closed(Struct, forbid_unknown_fields=True, tag_field="kind", tag=3):
        a: int

    closed, row, cat, named = map(shape_of, (Closed, Row, Cat, Named))
    assert isinstance(closed, ObjectShape)
    assert (closed.closed, closed.array, closed.tag_field, closed.tag) == (True, False, "kind", 3)
    assert closed.names == {"a", "kind"}
    assert isinstance(row, ObjectShape)
    assert (row.closed, row.array, row.tag_field, row.tag) == (False, True, None, None)
    assert row.names == {"id", "name"}
    assert isinstance(cat, ObjectShape)
    assert (cat.tag_field, cat.tag) == ("type", "cat")
    assert isinstance(named, ObjectShape)
    assert named.array


@pytest.mark.parametrize(
    ("tp", "kind"), [(Box[int], IntShape), (Box[A], ObjectShape), (Generics[str], StrShape)]
)
def test_the_arguments_of_a_generic_class_reach_its_fields(tp: Any, kind: type[Shape]) -> None:
    shape = shape_of(tp)
    assert isinstance(shape, ObjectShape)
    array = shape.fields[-1].shape
    assert isinstance(array, ArrayShape)
    assert type(array.item) is kind


def test_a_recursive_type_refers_to_its_own_node() -> None:
    shape = shape_of(Node)
    assert isinstance(shape, ObjectShape)
    union = shape.fields[0].shape
    assert isinstance(union, UnionShape)
    assert union.members[0] is shape


@pytest.mark.parametrize(
    ("tp", "members"),
    [
        (int | None, [IntShape, NullShape]),
        (Union[int, Union[str, None]], [IntShape, StrShape, NullShape]),
        (OneOf[int, OneOf[A, str]], [IntShape, ObjectShape, StrShape]),
        (int | Literal["a"], [IntShape, LiteralShape]),
    ],
)
def test_the_members_of_unions_stand_side_by_side(tp: Any, members: list[Any]) -> None:
    shape = shape_of(tp)
    assert isinstance(shape, UnionShape)
    assert list(map(type, shape.members)) == members


def test_a_union_of_one_is_that_one() -> None:
    assert type(shape_of(OneOf[int])) is IntShape
    assert type(shape_of(OneOf[A, B])) is UnionShape


def test_values_of_literals_and_enums_are_those_on_the_wire() -> None:
    literal, color = shape_of(Literal["a", 1, None]), shape_of(Color)
    assert isinstance(literal, LiteralShape)
    assert literal.values == ("a", 1, None)
    assert isinstance(color, EnumShape)
    assert color.values == ("red", 1)


@pytest.mark.parametrize(
    ("tp", "bounds"),
    [
        (int, None),
        (Annotated[int, "text"], None),
        (Annotated[int, Meta(ge=1)], Meta(ge=1)),
        (Annotated[Annotated[int, Meta(ge=1)], Meta(le=5)], Meta(ge=1, le=5)),
        (Annotated[int, Meta(ge=1), Meta(ge=2, multiple_of=2)], Meta(ge=2, multiple_of=2)),
        (Annotated[str, Meta(min_length=1, pattern="a")], Meta(min_length=1, pattern="a")),
        (Annotated[str, Meta(max_length=3), Meta(description="text")], Meta(max_length=3)),
        (Annotated[list[int], Meta(min_length=1)], Meta(min_length=1)),
        (Annotated[tuple[int, ...], Meta(min_length=1)], Meta(min_length=1)),
        (Annotated[dict[str, int], Meta(max_length=1)], Meta(max_length=1)),
        (Annotated[datetime.datetime, Meta(tz=True)], Meta(tz=True)),
    ],
)
def test_the_constraints_around_a_type_are_one(tp: Any, bounds: Meta | None) -> None:
    shape: Any = shape_of(tp)
    assert shape.bounds == bounds
    assert shape.type == tp


@pytest.mark.parametrize(
    ("tp", "message"),
    [
        ("A", "'A' is a string: write the type itself"),
        (ForwardRef("A"), "is a string: write the type itself"),
        (list["A"], "is a string: write the type itself"),  # type: ignore[list-item]
        (collections.abc.Callable[[], int], ".*"),
        (5, "5 cannot be decoded from JSON: it is no class"),
    ],
)
def test_what_is_no_type_is_an_error(tp: Any, message: str) -> None:
    if tp == collections.abc.Callable[[], int]:
        assert isinstance(shape_of(tp), CustomShape)
        return
    with pytest.raises(TypeError, match=message):
        shape_of(tp)


def test_a_type_that_cannot_be_hashed_is_read() -> None:
    shape = shape_of(list[Annotated[int, ["a list"]]])
    assert isinstance(shape, ArrayShape)
    assert type(shape.item) is IntShape
