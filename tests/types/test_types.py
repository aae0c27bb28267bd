"""The types that users need, beyond what msgspec takes by itself; and what a failure to decode says."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import ipaddress
import itertools
import pathlib
import re
import typing
import uuid
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union

import attrs
import msgspec
import pydantic
import pytest
from msgspec import Meta, Struct
from typing_extensions import TypeAliasType, TypedDict

from typedtool import Budget, Mismatch, Ok, OneOf
from typedtool.decoding.decoder import Decoder
from typedtool.types.conversion import Converter, NotFit
from typedtool.types.explaining import explain
from typedtool.types.hints import type_name
from typedtool.types.reading import shape_of
from typedtool.types.shapes import UnionShape, kinds
from typedtool.types.unions import is_refused

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


@pytest.mark.parametrize(
    ("out", "wire", "value"), DECODED, ids=[f"{type_name(o)}-{i}" for i, (o, _, _) in enumerate(DECODED)]
)
def test_a_value_decodes(out: Any, wire: Any, value: Any) -> None:
    decoder = Decoder(out)
    outcome = decoder.read({"content": [], "structuredContent": wire})
    assert isinstance(outcome, Ok), outcome
    assert outcome.value == value
    assert type(outcome.value) is type(value)
    text = msgspec.json.encode(wire).decode()
    if not isinstance(wire, str):
        assert decoder.decode({"content": [{"type": "text", "text": text}]}) == value


def test_numbers_in_text_keep_their_digits_for_a_decimal() -> None:
    result = {"content": [{"type": "text", "text": '{"price": 1.10}'}]}
    assert Decoder(dict[str, decimal.Decimal]).decode(result) == {"price": decimal.Decimal("1.10")}
    assert str(Decoder(dict[str, decimal.Decimal]).decode(result)["price"]) == "1.10"


REFUSED: list[tuple[Any, Any, list[str]]] = [
    (int, True, ["expected integer, received boolean at $"]),
    (int, "5", ["expected integer, received string at $"]),
    (int, 1.5, ["expected integer, received number at $"]),
    (Model, {"i": "5"}, ["expected a valid integer, received string at $.i"]),
    (
        list[Cat | Dog],
        [{"type": "cat", "lives": 11}],
        ["expected integer (ge 0, le 9), received another integer at $[0].lives"],
    ),
    (
        list[Cat | Dog],
        [{"type": "dog", "name": "d", "more": 1}],
        ["expected no such property, received integer at $[0].more"],
    ),
    (list[Cat | Dog], [{"type": "cow"}], ["expected 'cat' or 'dog', received another tag at $[0].type"]),
    (list[Cat | Dog], [{}], ["expected 'cat' or 'dog', received nothing at $[0].type"]),
    (
        Dog,
        {"pups": [3], "name": 1},
        ["expected string, received integer at $.name", "expected Cat or Dog, received integer at $.pups[0]"],
    ),
    (dict[int, A], {"a b": {"x": 1}}, ['expected a key that is integer, received another key at $["a b"]']),
    (
        dict[str, dict[str, int]],
        {"é": {'q"x': "1"}},
        ['expected integer, received string at $["\\u00e9"]["q\\"x"]'],
    ),
    (A | B, {"x": "s"}, ["expected integer, received string at $.x"]),
    (tuple[int, str], [1], ["expected 2 items, received 1 items at $"]),
    (
        Annotated[list[int], Meta(max_length=1)],
        [1, "x"],
        ["expected at most 1 items, received 2 items at $", "expected integer, received string at $[1]"],
    ),
    (Literal["a", "b"], "c", ["expected 'a' or 'b', received another string at $"]),
    (datetime.datetime, "soon", ["expected datetime, received another string at $"]),
    (float, 10**400, ["expected number, received another integer at $"]),
    (Row, [], ["expected at least 1 items, received 0 items at $"]),
    (Annotated[str, Meta(pattern="^a")], "b", ["expected string (pattern ^a), received another string at $"]),
    (A | int, None, ["expected A or integer, received null at $"]),
]


@pytest.mark.parametrize(
    ("out", "wire", "problems"), REFUSED, ids=[f"{type_name(o)}-{i}" for i, (o, _, _) in enumerate(REFUSED)]
)
def test_a_value_that_does_not_fit_says_where_and_why(out: Any, wire: Any, problems: list[str]) -> None:
    outcome = Decoder(out).read({"content": [], "structuredContent": wire})
    assert isinstance(outcome, Mismatch)
    assert [str(p) for p in outcome.problems] == problems


def test_the_problems_of_a_type_that_checks_itself_name_the_type() -> None:
    class Even(Struct):
        n: int

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError("secret 12345")

    outcome = Decoder(list[Even]).read({"content": [], "structuredContent": [{"n": 2}, {"n": 3}]})
    assert isinstance(outcome, Mismatch)
    assert [p.path for p in outcome.problems] == ["$[1]"]
    assert "secret" not in str(outcome)


def test_which_unions_need_lowering_is_what_msgspec_refuses() -> None:
    """Too much may be lowered (it costs time), never too little (it would be a TypeError)."""
    pool = [
        A,
        B,
        Cat,
        Dog,
        Row,
        Named,
        Dictionary,
        Data,
        int,
        float,
        bool,
        str,
        None,
        list[int],
        set[int],
        tuple[int, str],
    ]
    pool += [
        dict[str, int],
        datetime.datetime,
        uuid.UUID,
        decimal.Decimal,
        bytes,
        Literal["x"],
        Literal[1],
        Any,
        pathlib.Path,
    ]
    for pair in itertools.combinations(pool, 2):
        shape = shape_of(Union[pair])
        if not isinstance(shape, UnionShape):
            continue
        try:
            msgspec.json.Decoder(Union[pair])
        except TypeError:
            if Data in pair or Dictionary in pair or Named in pair:
                continue  # refused for what is inside of them
            assert is_refused(shape), pair
        Converter(Union[pair])


@pytest.mark.parametrize(
    "bounded",
    [
        Annotated[int, Meta(ge=0)],
        Annotated[str, Meta(min_length=1)],
        Annotated[dict[str, int], Meta(max_length=2)],
    ],
)
def test_a_tuple_beside_a_member_with_bounds_is_kept_from_msgspec_which_would_corrupt_memory(
    bounded: Any,
) -> None:
    union = Union[tuple[int, str], bounded]
    holder = msgspec.defstruct("Holder", [("value", Optional[union], None)])
    for out, wire in ((union, lambda v: v), (holder, lambda v: {"value": v})):
        outcome = Decoder(out).read({"content": [], "structuredContent": wire([1])})
        assert isinstance(outcome, Mismatch)
        assert "expected 2 items, received 1 items" in str(outcome)
        fits = Decoder(out).decode({"content": [], "structuredContent": wire([1, "x"])})
        assert fits in ((1, "x"), holder((1, "x")))
    assert is_refused(shape_of(union))  # type: ignore[arg-type]


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


def test_kinds_are_those_of_the_values_that_fit() -> None:
    assert kinds(shape_of(decimal.Decimal | None)) == {"string", "integer", "number", "null"}
    assert kinds(shape_of(list[int] | dict[str, int])) == {"array", "object"}
    assert kinds(shape_of(Row)) == {"array"}
    assert kinds(shape_of(Literal["a", 1, None])) == {"string", "integer", "null"}


def test_explain_finds_nothing_in_a_value_that_fits() -> None:
    for out, wire, _ in DECODED:
        converter = Converter(out)
        assert explain(converter.shape, wire, Budget()) == ()
    for out, wire, _ in REFUSED:
        converter = Converter(out)
        with pytest.raises(NotFit):
            converter.convert(wire, Budget())
