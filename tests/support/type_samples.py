"""Types that users write, with values on the wire and what they decode to."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import ipaddress
import pathlib
import re
import typing
import uuid
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union

import attrs
import pydantic
from msgspec import Meta, Struct
from typing_extensions import TypeAliasType, TypedDict

from typedtool import OneOf

T = TypeVar("T")


class A(Struct):
    x: int


class B(Struct):
    x: int
    y: int | None = None


class Cat(Struct, tag="cat"):
    lives: Annotated[int, Meta(ge=0, le=9)]


class Dog(Struct, tag="dog", forbid_unknown_fields=True):
    name: str
    pups: list[Cat | Dog] = []


class Row(Struct, array_like=True):
    id: int
    name: str = ""


class Page(Struct):
    hit: A | B
    best: OneOf[A, B] | None = None
    next: Page | None = None
    when: datetime.datetime | str | None = None


class Box(Struct, Generic[T]):
    value: T | None
    more: list[T] = []


@dataclasses.dataclass
class Data:
    a: list[A] | list[int]
    b: int = 3


@attrs.define
class Attrs:
    a: int
    b: list[A] | dict[str, int] = attrs.field(factory=list)


class Dictionary(TypedDict, total=False):
    a: A | B
    b: int


class Named(NamedTuple):
    a: A | list[int]
    b: int = 3


class Model(pydantic.BaseModel):
    i: int
    f: float = 0
    when: Optional[datetime.datetime] = None


Alias = TypeAliasType("Alias", Union[A, B])
Number = typing.NewType("Number", int)

DECODED: list[tuple[Any, Any, Any]] = [
    (A | B, {"x": 1}, A(1)),
    (A | B, {"x": 1, "y": 2}, B(1, 2)),
    (OneOf[A, B], {"x": 1, "y": 2}, B(1, 2)),
    (Alias, {"x": 1}, A(1)),
    (list[A] | list[int], [1, 2.0], [1, 2]),
    (list[A] | dict[str, A], {"k": {"x": 1}}, {"k": A(1)}),
    (A | dict[str, Any], {"x": 1, "z": 2}, A(1)),
    (A | dict[str, Any], {"z": 2}, {"z": 2}),
    (OneOf[int, str, list[A]], 5, 5),
    (OneOf[float, int], 5, 5),
    (datetime.date | uuid.UUID | str, "2026-01-02", datetime.date(2026, 1, 2)),
    (
        datetime.date | uuid.UUID | str,
        "12345678-1234-5678-1234-567812345678",
        uuid.UUID("12345678-1234-5678-1234-567812345678"),
    ),
    (datetime.date | uuid.UUID | str, "x", "x"),
    (Literal["a"] | datetime.date, "a", "a"),
    (decimal.Decimal | int, "1.10", decimal.Decimal("1.10")),
    (dict[int, A], {"1": {"x": 1}}, {1: A(1)}),
    (
        dict[uuid.UUID, int],
        {"12345678-1234-5678-1234-567812345678": 1},
        {uuid.UUID("12345678-1234-5678-1234-567812345678"): 1},
    ),
    (
        Page,
        {
            "hit": {"x": 1.0, "y": 2},
            "best": {"x": 3},
            "next": {"hit": {"x": 1}, "when": "2026-01-02T03:04:05Z"},
            "when": "soon",
        },
        Page(
            B(1, 2),
            A(3),
            Page(A(1), when=datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)),
            "soon",
        ),
    ),
    (Box[int], {"value": 1.0, "more": [2]}, Box(1, [2])),
    (Box[A | B], {"value": {"x": 1, "y": 1}, "more": [{"x": 1}]}, Box(B(1, 1), [A(1)])),
    (list[Row], [[1, "a"], [2.0]], [Row(1, "a"), Row(2)]),
    (Data, {"a": [{"x": 1}]}, Data([A(1)])),
    (Data, {"a": [1, 2.0], "b": 5}, Data([1, 2], 5)),
    (Attrs, {"a": 1.0, "b": {"k": 1}}, Attrs(1, {"k": 1})),
    (Dictionary, {"a": {"x": 1}, "b": 2.0}, {"a": A(1), "b": 2}),
    (Named, [{"x": 1}], Named(A(1))),
    (Named, [[1], 2.0], Named([1], 2)),
    (
        Model,
        {"i": 1.0, "f": 2, "when": "2026-01-02T03:04:05Z"},
        Model(i=1, f=2, when=datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)),
    ),
    (list[Model] | None, [{"i": 1}], [Model(i=1)]),
    (Model | A, {"x": 1}, A(1)),
    (pathlib.PurePosixPath, "/a/b", pathlib.PurePosixPath("/a/b")),
    (pathlib.Path | None, None, None),
    (ipaddress.IPv4Address, "10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),
    (re.Pattern, "a+", re.compile("a+")),
    (collections.deque[int], [1, 2], collections.deque([1, 2])),
    (collections.OrderedDict[str, int], {"b": 1, "a": 2}, collections.OrderedDict(b=1, a=2)),
    (collections.Counter[str], {"a": 2}, collections.Counter(a=2)),
    (collections.defaultdict[str, A], {"a": {"x": 1}}, collections.defaultdict(None, {"a": A(1)})),
    (Number, 1.0, 1),
    (int | float, 1.0, 1.0),
    (Literal[1, 2], 2.0, 2),
    (set[int], [1.0, 1], {1}),
    (tuple[int, ...], [1, 2.0], (1, 2)),
    (bytes, "aGk=", b"hi"),
    (int, 2**70, 2**70),
    (collections.abc.Sequence[int], [1], [1]),
    (collections.abc.Mapping[str, int], {"a": 1}, {"a": 1}),
]
