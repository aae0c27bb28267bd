"""What is wrong with a value that does not fit its type: each problem with its code, its place and its words."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import ipaddress
import re
import time
import uuid
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, Union

import attrs
import pydantic
import pytest
from msgspec import Meta, Struct

from type_samples import DECODED, A, B, Box, Cat, Dog, Model, Row
from typedtool import Budget, Mismatch
from typedtool.decoding.decoder import Decoder
from typedtool.errors import Problem
from typedtool.types.conversion import Converter, NotFit
from typedtool.types.explaining import explain
from typedtool.types.hints import type_name

T = TypeVar("T")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Closed(Struct, array_like=True, forbid_unknown_fields=True, tag="c"):
    id: int
    name: str = ""


class Pair(NamedTuple):
    a: int
    b: int = 0


class Even(Struct):
    n: int

    def __post_init__(self) -> None:
        if self.n % 2:
            raise ValueError("secret 12345")


class Boxed(Struct, Generic[T]):
    value: T

    def __post_init__(self) -> None:
        if not self.value:
            raise ValueError("empty")


@dataclass
class Positive:
    n: int

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueError("secret")


def small(instance: Any, attribute: Any, value: int) -> None:
    if value > 9:
        raise ValueError("secret")


@attrs.define
class Small:
    n: int = attrs.field(validator=small)


class Strict(pydantic.BaseModel, extra="forbid"):
    """One field for each kind of error that pydantic gives."""

    i: int = pydantic.Field(0, ge=0, lt=10)
    more: int = pydantic.Field(3, gt=2, le=9, multiple_of=3)
    s: str = pydantic.Field("abc", min_length=2, max_length=3, pattern="^a")
    rows: list[int] = pydantic.Field([1], min_length=1, max_length=2)
    named: dict[str, int] = pydantic.Field({}, max_length=1)
    when: datetime.datetime | None = None
    span: datetime.timedelta | None = None
    id: uuid.UUID | None = None
    color: Color = Color.RED
    unit: Literal["C", "F"] = "C"
    either: Union[int, Model] = 0
    even: int = 0
    price: decimal.Decimal = pydantic.Field(decimal.Decimal(0), max_digits=2)

    @pydantic.field_validator("even")
    @classmethod
    def is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError(f"secret {value}")
        return value


REFUSED: list[tuple[Any, Any, list[str]]] = [
    (int, True, ["type: expected integer, received boolean at $"]),
    (int, "5", ["type: expected integer, received string at $"]),
    (int, 1.5, ["type: expected integer, received number at $"]),
    (None, 1, ["type: expected null, received integer at $"]),
    (bool, 1, ["type: expected boolean, received integer at $"]),
    (float, "x", ["type: expected number, received string at $"]),
    (list[int], {}, ["type: expected array, received object at $"]),
    (dict[str, int], [], ["type: expected object, received array at $"]),
    (tuple[int, int], 1, ["type: expected array, received integer at $"]),
    (A, [], ["type: expected A, received array at $"]),
    (A | int, None, ["type: expected A or integer, received null at $"]),
    (datetime.date, 5, ["type: expected a date, received integer at $"]),
    (A, {}, ["required: expected integer, received nothing at $.x"]),
    (
        Dog,
        {"pups": [3], "name": 1},
        [
            "type: expected string, received integer at $.name",
            "type: expected Cat or Dog, received integer at $.pups[0]",
        ],
    ),
    # bounds
    (Annotated[int, Meta(ge=1)], 0, ["minimum: expected at least 1, received integer at $"]),
    (Annotated[int, Meta(gt=1)], 1, ["exclusiveMinimum: expected more than 1, received integer at $"]),
    (Annotated[int, Meta(lt=1)], 1, ["exclusiveMaximum: expected less than 1, received integer at $"]),
    (Annotated[int, Meta(ge=0, le=1)], 2.0, ["maximum: expected at most 1, received integer at $"]),
    (Annotated[float, Meta(ge=0.5)], 0.25, ["minimum: expected at least 0.5, received number at $"]),
    (
        Annotated[int, Meta(ge=0, multiple_of=3)],
        4,
        ["multipleOf: expected a multiple of 3, received integer at $"],
    ),
    (
        Annotated[str, Meta(min_length=2)],
        "a",
        ["minLength: expected at least 2 characters, received string of 1 character at $"],
    ),
    (
        Annotated[str, Meta(max_length=1)],
        "ab",
        ["maxLength: expected at most 1 character, received string of 2 characters at $"],
    ),
    (
        Annotated[str, Meta(pattern="^a", max_length=5)],
        "b",
        ["pattern: expected a string that matches '^a', received string of 1 character at $"],
    ),
    (
        Annotated[list[int], Meta(min_length=1)],
        [],
        ["minItems: expected at least 1 item, received array of 0 items at $"],
    ),
    (
        Annotated[list[int], Meta(max_length=1)],
        [1, "x"],
        [
            "maxItems: expected at most 1 item, received array of 2 items at $",
            "type: expected integer, received string at $[1]",
        ],
    ),
    (
        Annotated[dict[str, int], Meta(min_length=2)],
        {"a": 1},
        ["minProperties: expected at least 2 properties, received object of 1 property at $"],
    ),
    (
        Annotated[dict[str, int], Meta(max_length=0)],
        {"a": 1},
        ["maxProperties: expected at most 0 properties, received object of 1 property at $"],
    ),
    (
        float,
        10**400,
        ["maximum: expected number within the range of a double, received integer of 1,329 bits at $"],
    ),
    (
        float,
        -(10**400),
        ["minimum: expected number within the range of a double, received integer of 1,329 bits at $"],
    ),
    # values and formats
    (Literal["a", "b"], "c", ['enum: expected "a" or "b", received string of 1 character at $']),
    (Annotated[float, Meta(le=1)], 2.0, ["maximum: expected at most 1, received number at $"]),
    (Literal[1], 2.0, ["const: expected 1, received integer at $"]),
    (Color, "x", ['enum: expected Color ("red" or "blue"), received string of 1 character at $']),
    (datetime.datetime, "soon", ["format: expected a date-time, received string of 4 characters at $"]),
    (datetime.date, "soon", ["format: expected a date, received string of 4 characters at $"]),
    (datetime.time, "soon", ["format: expected a time, received string of 4 characters at $"]),
    (datetime.timedelta, "soon", ["format: expected a duration, received string of 4 characters at $"]),
    (uuid.UUID, "x", ["format: expected a UUID, received string of 1 character at $"]),
    (decimal.Decimal, "x", ["format: expected a decimal number, received string of 1 character at $"]),
    (
        Annotated[bytes, Meta(description="text")],
        "x",
        ["format: expected base64 text, received string of 1 character at $"],
    ),
    (bytes, "x", ["format: expected base64 text, received string of 1 character at $"]),
    (
        Annotated[bytes, Meta(max_length=1)],
        "aGk=",
        ["format: expected base64 text of at most 1 bytes, received string of 4 characters at $"],
    ),
    (
        Annotated[datetime.datetime, Meta(tz=True)],
        "2026-01-02T03:04:05",
        ["format: expected a date-time with a time zone, received string of 19 characters at $"],
    ),
    (
        Annotated[datetime.datetime, Meta(tz=False)],
        "2026-01-02T03:04:05Z",
        ["format: expected a date-time without a time zone, received string of 20 characters at $"],
    ),
    # objects
    (
        list[Cat | Dog],
        [{"type": "cat", "lives": 11}],
        ["maximum: expected at most 9, received integer at $[0].lives"],
    ),
    (
        list[Cat | Dog],
        [{"type": "dog", "name": "d", "more": 1}],
        ["additionalProperties: expected no such property, received integer at $[0].more"],
    ),
    (
        list[Cat | Dog],
        [{"type": "cow"}],
        ['enum: expected "cat" or "dog", received string of 3 characters at $[0].type'],
    ),
    (list[Cat | Dog], [{}], ['required: expected "cat" or "dog", received nothing at $[0].type']),
    (
        Cat,
        {"type": "dog", "lives": 1},
        ['const: expected "cat", received string of 3 characters at $.type'],
    ),
    (
        dict[int, A],
        {"a b": {"x": 1}},
        [
            "propertyNames: expected integer as the property's name, received string of 3 characters "
            'at $["a b"]'
        ],
    ),
    (
        dict[str, dict[str, int]],
        {"é": {'q"x': "1"}},
        ['type: expected integer, received string at $["\\u00e9"]["q\\"x"]'],
    ),
    (list[Even], [{"n": 2}, {"n": 3}], ["type: expected a value that Even accepts, received object of 1 property at $[1]"]),
    (list[Boxed[int]], [{"value": 0}], ["type: expected a value that Boxed[int] accepts, received object of 1 property at $[0]"]),
    (
        Annotated[bytes, Meta(min_length=3, max_length=4)],
        "aGk=",
        ["format: expected base64 text of at least 3 and at most 4 bytes, received string of 4 characters at $"],
    ),
    (Positive, {"n": -1}, ["type: expected a value that Positive accepts, received object of 1 property at $"]),
    (Small, {"n": 10}, ["type: expected a value that Small accepts, received object of 1 property at $"]),
    # arrays of fixed parts
    (
        tuple[int, str],
        [1],
        ["minItems: expected at least 2 items, received array of 1 item at $"],
    ),
    (
        tuple[int, str],
        [1, 2, 3],
        [
            "maxItems: expected at most 2 items, received array of 3 items at $",
            "type: expected string, received integer at $[1]",
        ],
    ),
    (Row, [], ["minItems: expected at least 1 item, received array of 0 items at $"]),
    (Row, ["x"], ["type: expected integer, received string at $[0]"]),
    (Pair, [1, "x"], ["type: expected integer, received string at $[1]"]),
    (
        Closed,
        ["c"],
        ["minItems: expected at least 2 items, received array of 1 item at $"],
    ),
    (
        Closed,
        ["d", 1, "a", 4],
        [
            "maxItems: expected at most 3 items, received array of 4 items at $",
            'const: expected "c", received string of 1 character at $[0]',
        ],
    ),
    (Closed, ["c", "x"], ["type: expected integer, received string at $[1]"]),
    # unions: the member that got deepest, else none of them
    (A | B, {"x": "s"}, ["type: expected integer, received string at $.x"]),
    (Box[A | B], {"value": {"x": "s"}}, ["type: expected integer, received string at $.value.x"]),
    (
        datetime.date | uuid.UUID,
        "soon",
        ["anyOf: expected a date or a UUID, received string of 4 characters at $"],
    ),
    (list[A] | list[int], [{"x": 1}, {"x": "s"}], ["type: expected integer, received string at $[1].x"]),
    (Literal["a"] | int, "b", ['const: expected "a", received string of 1 character at $']),
    # classes left to a hook
    (ipaddress.IPv4Address, "x", ["format: expected IPv4Address, received string of 1 character at $"]),
    (ipaddress.IPv4Address, 5, ["type: expected string, received integer at $"]),
    (re.Pattern, "(", ["format: expected a regular expression, received string of 1 character at $"]),
    (collections.deque[int], [1, "x"], ["type: expected integer, received string at $[1]"]),
    (collections.Counter[str], {"a": "x"}, ["type: expected integer, received string at $.a"]),
    (collections.OrderedDict[str, A], {"a": {}}, ["required: expected integer, received nothing at $.a.x"]),
    (collections.defaultdict, [], ["type: expected object, received array at $"]),
    # pydantic
    (Model, {"i": "5"}, ["type: expected integer, received string at $.i"]),
    (Model, {}, ["required: expected a value, received nothing at $.i"]),
    (list[Model], [{"i": 1}, 5], ["type: expected object, received integer at $[1]"]),
    (Strict, {"x": 1}, ["additionalProperties: expected no such property, received integer at $.x"]),
    (Strict, {"i": -1}, ["minimum: expected at least 0, received integer at $.i"]),
    (Strict, {"i": 10}, ["exclusiveMaximum: expected less than 10, received integer at $.i"]),
    (Strict, {"more": 0}, ["exclusiveMinimum: expected more than 2, received integer at $.more"]),
    (Strict, {"more": 12}, ["maximum: expected at most 9, received integer at $.more"]),
    (Strict, {"more": 4}, ["multipleOf: expected a multiple of 3, received integer at $.more"]),
    (Strict, {"s": "a"}, ["minLength: expected at least 2 characters, received string of 1 character at $.s"]),
    (
        Strict,
        {"s": "abcd"},
        ["maxLength: expected at most 3 characters, received string of 4 characters at $.s"],
    ),
    (
        Strict,
        {"s": "xyz"},
        ["pattern: expected a string that matches '^a', received string of 3 characters at $.s"],
    ),
    (Strict, {"rows": []}, ["minItems: expected at least 1 item, received array of 0 items at $.rows"]),
    (
        Strict,
        {"rows": [1, 2, 3]},
        ["maxItems: expected at most 2 items, received array of 3 items at $.rows"],
    ),
    (Strict, {"rows": [1, "x"]}, ["type: expected integer, received string at $.rows[1]"]),
    (
        Strict,
        {"named": {"a": 1, "b": 2}},
        ["maxProperties: expected at most 1 property, received object of 2 properties at $.named"],
    ),
    (Strict, {"when": "soon"}, ["format: expected a date-time, received string of 4 characters at $.when"]),
    (Strict, {"span": "soon"}, ["format: expected a duration, received string of 4 characters at $.span"]),
    (Strict, {"id": "x"}, ["format: expected a UUID, received string of 1 character at $.id"]),
    (Strict, {"color": "x"}, ["enum: expected 'red' or 'blue', received string of 1 character at $.color"]),
    (Strict, {"unit": "K"}, ["enum: expected 'C' or 'F', received string of 1 character at $.unit"]),
    (
        Strict,
        {"either": {"i": "x"}},
        [
            "type: expected integer, received object at $.either",
            "type: expected integer, received string at $.either.i",
        ],
    ),
    (Strict, {"even": 3}, ["type: expected a value that Strict accepts, received integer at $.even"]),
    (
        Strict,
        {"price": "1.234"},
        ["type: expected what decimal_max_digits allows, received string of 5 characters at $.price"],
    ),
]  # fmt: skip


def said(problems: tuple[Problem, ...]) -> list[str]:
    return [f"{p.code}: {p}" for p in problems]


@pytest.mark.parametrize(
    ("out", "wire", "problems"), REFUSED, ids=[f"{type_name(o)}-{i}" for i, (o, _, _) in enumerate(REFUSED)]
)
def test_a_value_that_does_not_fit_says_where_and_why(out: Any, wire: Any, problems: list[str]) -> None:
    outcome = Decoder(out).read({"content": [], "structuredContent": wire})
    assert isinstance(outcome, Mismatch)
    assert said(outcome.problems) == problems


def test_explain_finds_nothing_in_a_value_that_fits() -> None:
    for out, wire, _ in DECODED:
        assert explain(Converter(out).shape, wire, Budget()) == ()
    for out, wire, _ in REFUSED:
        with pytest.raises(NotFit):
            Converter(out).convert(wire, Budget())


@pytest.mark.parametrize(
    ("out", "wire", "problem"),
    [
        (int, "x", "type: expected integer, received string at $"),
        (bool, "x", "type: expected boolean, received string at $"),
        (None, "x", "type: expected null, received string at $"),
        (list[float], ["1", "x"], "type: expected number, received string at $[1]"),
        (Strict, {"i": "x"}, "type: expected integer, received string at $.i"),
        (Strict, {"when": "x"}, "format: expected a date-time, received string of 1 character at $.when"),
    ],
)
def test_where_strings_are_read_as_numbers_a_string_that_spells_none_is_of_the_wrong_type(
    out: Any, wire: Any, problem: str
) -> None:
    shape = Converter(out, lax=True).shape
    assert said(explain(shape, wire, Budget(), lax=True)) == [problem]


def test_a_value_past_thousands_of_others_is_found() -> None:
    (problem,) = explain(Converter(list[int]).shape, [1] * 60_000 + ["x"], Budget())
    assert problem.path == "$[60000]"


def test_no_more_problems_are_listed_than_the_budget_says() -> None:
    for out, wire in (
        (list[int], ["x"] * 9),
        (dict[str, int], {str(i): "x" for i in range(9)}),
        (tuple[(int,) * 9], ["x"] * 9),  # type: ignore[misc]
        (Strict, {str(i): 0 for i in range(9)}),
        (list[Cat | A], [{"type": "cat", "lives": []}] * 9),
    ):
        assert len(explain(Converter(out).shape, wire, Budget(problems=3))) == 3


def test_the_same_problems_are_found_however_slow_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Explaining counts what it looks at, and asks no clock."""
    wire = [{"x": 1}] * 500 + [{"x": "s"}]
    before = explain(Converter(list[A | B]).shape, wire, Budget())
    hours = iter(range(0, 10**9, 3600))
    for clock in ("perf_counter", "monotonic", "time"):
        monkeypatch.setattr(time, clock, lambda: next(hours))
    assert explain(Converter(list[A | B]).shape, wire, Budget(seconds=1e-9)) == before
    assert before[0].path == "$[500].x"


def test_what_is_not_found_within_the_count_is_a_problem_of_the_whole_value() -> None:
    (problem,) = explain(Converter(list[A | B]).shape, [{"x": 1}] * 500 + [{"x": "s"}], Budget(nodes=100))
    assert (problem.code, problem.path) == ("type", "$")
    assert str(problem) == "expected a value that list[A | B] accepts, received array of 501 items at $"


def test_what_a_class_checks_itself_counts_as_much_again() -> None:
    wire = {str(i): {"n": 2} for i in range(40)} | {"odd": {"n": 3}}
    shape = Converter(dict[str, Even]).shape
    assert [p.path for p in explain(shape, wire, Budget(nodes=130))] == ["$.odd"]
    assert [p.path for p in explain(shape, wire, Budget(nodes=110))] == ["$"]


def test_unions_in_unions_are_explained_within_one_count() -> None:
    class Left(Struct):
        next: Left | Right | None = None
        left: int = 0

    class Right(Struct):
        next: Left | Right | None = None
        right: int = 0

    for cls in (Left, Right):
        cls.__annotations__["next"] = Union[Left, Right, None]
    wire: Any = {"left": "x"}
    for _ in range(100):
        wire = {"next": wire}
    looked = explain(Converter(Union[Left, Right]).shape, [wire] * 1, Budget())
    assert len(looked) == 1


def test_words_hold_nothing_of_the_value() -> None:
    for out, wire in (
        (Strict, {"even": 12345}),
        (Strict, {"id": "secret"}),
        (Even, {"n": 12345}),
        (Literal["a"], "secret"),
        (dict[int, int], {"a": "secret"}),
        (re.Pattern, "(secret"),
        (ipaddress.IPv4Address, "secret"),
    ):
        problems = explain(Converter(out).shape, wire, Budget())
        assert problems
        assert not any("secret" in str(p) or "12345" in str(p) for p in problems)
